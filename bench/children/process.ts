/** The other side of processes.ts: what a process of a question is given, and how it answers. */

/** What it was started with. */
export function given<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T
}

/** A command of a process; what it returns is sent to who asked. */
export type Command = (given: never) => unknown

/**
 * Says `started`, then answers commands until the process that asks lets go or is gone; `end` cleans up then. Nothing is
 * left running, however the other side ends.
 */
export function answerCommands(
  started: unknown,
  commands: Readonly<Record<string, Command>> = {},
  end: () => unknown = () => {},
): void {
  process.on('message', (message) => void answer(message as Asked, commands))
  process.once('disconnect', () => {
    Promise.resolve(end()).then(
      () => process.exit(),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.send?.({ id: 0, value: started ?? null })
}

interface Asked {
  readonly id: number
  readonly command: string
  readonly given: never
}

async function answer(
  { id, command, given }: Asked,
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  try {
    const run = commands[command]
    if (run === undefined) throw new Error(`there is no command "${command}"`)
    process.send?.({ id, value: (await run(given)) ?? null })
  } catch (error) {
    process.send?.({ id, error: String(error) })
  }
}
