// `npm run bench -- <name>`: runs each benchmark and its control alternately in one run.

const benchmarks: Record<string, () => Promise<void>> = {
  page: async () => (await import('./page.ts')).run(),
  lists: async () => (await import('./lists.ts')).run(),
  upsert: async () => (await import('./upsert.ts')).run(),
  deploy: async () => (await import('./deploy.ts')).run(),
  start: async () => (await import('./start.ts')).run(),
  enrich: async () => (await import('./enrich.ts')).run(),
  export: async () => (await import('./export.ts')).run(),
  import: async () => (await import('./import.ts')).run(),
  review: async () => (await import('./review.ts')).run(),
  secrets: async () => (await import('./secrets.ts')).run(),
  scan: async () => (await import('./scan.ts')).run(),
  console: async () => (await import('./console.ts')).run(),
  replay: async () => (await import('./replay.ts')).run(process.argv.slice(3)),
}

const [name = ''] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (!benchmark) {
  process.stderr.write(`There are the benchmarks ${Object.keys(benchmarks).join(', ')}\n`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
await benchmark()
