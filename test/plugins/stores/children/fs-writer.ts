/** Writes one key again and again, each value a byte repeated, until it is killed: node fs-writer.ts <dir> <byte>. */
import { fsStore } from '../../../../plugins/stores/index.ts'

const [dir = '', byte = '0'] = process.argv.slice(2)
const store = fsStore(dir)
console.log('ready')
for (let round = 0; ; round++) {
  const value = Buffer.alloc(200_000 + Number(byte) * 1_000, Number(byte))
  await store.set('ls1:{test}:value', value, 600_000)
  await store.setRecord('ls1:{test}:record', round, value, 600_000)
  await store.setField('ls1:{test}:fields', `of ${byte}`, String(round), 600_000)
  await store.invalidate([`tag ${byte}`])
}
