// Compiles the CAPEC and CWE relations in the given folder into the two compact files that checks read.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ids = z.array(z.number().int().positive()).default([])
const weakness = z.object({ id: z.number().int().positive(), name: z.string().min(1), childOf: ids })
const pattern = weakness.extend({ cwes: ids })

const target = new URL('../src/modules/requirements/catalogue/', import.meta.url)

/** One record a line, so that the diff of a newer catalogue is readable. */
function write(file: string, records: readonly (readonly unknown[])[]): void {
  const lines = records.map((record) => JSON.stringify(record))
  writeFileSync(new URL(file, target), `[\n${lines.join(',\n')}\n]\n`)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder that holds capec.json and cwe.json')
const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const byId = (left: { id: number }, right: { id: number }) => left.id - right.id
const weaknesses = z.array(weakness).parse(read('cwe.json')).sort(byId)
const patterns = z.array(pattern).parse(read('capec.json')).sort(byId)

const known = new Set(weaknesses.map(({ id }) => id))
const unknown = [...patterns.flatMap(({ cwes }) => cwes), ...weaknesses.flatMap(({ childOf }) => childOf)].find(
  (id) => !known.has(id),
)
if (unknown !== undefined) throw new Error(`cwe.json has no CWE-${unknown}, which the relations name`)

write(
  'cwe.json',
  weaknesses.map(({ id, name, childOf }) => [id, name, childOf]),
)
write(
  'capec.json',
  patterns.map(({ id, name, childOf, cwes }) => [id, name, childOf, cwes]),
)
