// Runs the vulnerable service in a process of its own that the launcher made, and obeys its two words: reset and stop.
import { start } from './service.ts'

const [folder = '', ...on] = process.argv.slice(2)
const service = await start(folder, on)

process.on('message', (word) => {
  if (word !== 'reset') return
  service.reset()
  process.send?.({ reset: true })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: service.url })
