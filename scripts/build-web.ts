// Builds the console into web/dist: the types from schema.graphql, the bundle, and a compressed copy of each file.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { build } from 'vite'
import { stampOf } from '../bin/console.mjs'

const TYPES = 'web/api/schema.generated.d.ts'
/** Files smaller than this, in bytes, gain nothing from compression. */
const WORTH_COMPRESSING = 1_000

/** Writes the types of schema.graphql for gql.tada, so that a document that does not match them fails the type check. */
function writeTypes(): void {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }))
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true })
  if (readOrEmpty(TYPES) !== text) writeFileSync(TYPES, text)
}

async function buildConsole(): Promise<void> {
  const stamp = stampOf()
  const fresh = `web/dist.${process.pid}`
  // The parent process, such as a test runner, may have set another mode.
  process.env.NODE_ENV = 'production'
  await build({
    configFile: 'web/vite.config.ts',
    logLevel: 'warn',
    build: { outDir: `../${fresh}`, emptyOutDir: true },
  })
  await compressAll(fresh)
  writeFileSync(join(fresh, '.stamp'), stamp)
  rmSync('web/dist', { recursive: true, force: true })
  renameSync(fresh, 'web/dist')
}

async function compressAll(directory: string): Promise<void> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|css|html|svg)$/.test(name),
  )
  for (const file of files) {
    const path = join(directory, file)
    const bytes = readFileSync(path)
    if (bytes.length < WORTH_COMPRESSING) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    const [brotli, zipped] = await Promise.all([
      promisify(brotliCompress)(bytes, { params }),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    writeFileSync(`${path}.br`, brotli)
    writeFileSync(`${path}.gz`, zipped)
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

writeTypes()
if (!process.argv.includes('--types')) await buildConsole()
