import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout under test. */
export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url))

/** What the tests read of a package.json. */
export interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, string>>
  readonly typesVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** The package as a user gets it: packed, and installed in a folder that held nothing. */
export interface Installed {
  /** The user's folder. */
  readonly folder: string
  /** Where npm put the package. */
  readonly packageFolder: string
  /** Paths of the package's files, with `/`, sorted. */
  readonly files: readonly string[]
  readonly manifest: Manifest
  /** Writes files into the user's folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Runs this Node in the user's folder. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>
  remove(): Promise<void>
}

/** The tarball, in a temporary folder of its own. */
export interface Packed {
  /** The temporary folder. */
  readonly home: string
  readonly tarball: string
  /** Version of one of our own development packages. */
  versionOf(name: string): string | undefined
  /** Installs it in the folder `name`, beside packages such as `express`: those of ours in the version that we test with. */
  install(name: string, packages: readonly string[]): Promise<Installed>
  remove(): Promise<void>
}

/** How a process ended. */
export interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Packs a copy of the checkout, so that neither its `dist` nor a test that runs beside is touched. */
export async function pack(): Promise<Packed> {
  const home = await mkdtemp(join(tmpdir(), 'live-sitemap-package-'))
  const copy = join(home, 'checkout')
  await cp(ROOT, copy, { recursive: true, filter: (path) => !LEFT_BEHIND.test(path.slice(ROOT.length - 1)) })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  // Its prepack builds.
  await npm(copy, ['pack', '--pack-destination', home])
  const name = (await readdir(home)).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack made no tarball')
  const tarball = join(home, name)
  const { devDependencies } = await readManifest(ROOT)
  return {
    home,
    tarball,
    versionOf: (name) => devDependencies[name],
    install: (folder, packages) =>
      installInto(join(home, folder), [
        tarball,
        ...packages.map((one) => `${one}@${devDependencies[one] ?? 'latest'}`),
      ]),
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

/** Packed, and installed beside Fastify. */
export async function packAndInstall(): Promise<Installed> {
  const packed = await pack()
  // Fastify's types name those of Node.
  const installed = await packed.install('site', ['fastify', '@types/node'])
  return { ...installed, remove: packed.remove }
}

async function installInto(folder: string, packages: readonly string[]): Promise<Installed> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages])
  const packageFolder = join(folder, 'node_modules', 'live-sitemap')
  return {
    folder,
    packageFolder,
    files: await filesOf(packageFolder),
    manifest: await readManifest(packageFolder),
    async write(files) {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    },
    node: (args, env = {}) => run(process.execPath, args, folder, env),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** What no clone holds. */
const LEFT_BEHIND =
  /^[\\/](?:(?:.*[\\/])?node_modules|(?:.*[\\/])?\.next|dist|coverage|\.git|example-app[\\/]data)(?:[\\/]|$)|\.tgz$/

/** Paths of all files below `folder`, with `/`, sorted. */
export async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((one) => one.isFile())
    .map((one) =>
      join(one.parentPath, one.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort()
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

export async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run('npm', args, cwd)
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}:\n${stdout}\n${stderr}`)
}

/** Runs to the end, whatever the end is. */
export function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd, env: { ...cleanEnv(), ...env }, timeout: 240_000, maxBuffer: 20_000_000 },
      (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
          stdout,
          stderr,
        }),
    )
  })
}

/** Without what Vitest and npm set for their own children: a user's shell has none of it. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_(?:cache|registry|cafile|userconfig|globalconfig))|VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$)/i.test(
        name,
      ),
  )
  return Object.fromEntries(kept)
}
