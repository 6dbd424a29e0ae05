import type { ViteUserConfig } from 'vitest/config'
import { defineConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Files start servers and child processes of their own: two cores, two workers.
    maxWorkers: 2,
    coverage: { include: ['src/**', 'plugins/**'] },
  },
})
export default config
