// Checks whether a value that names a file gives access to files of the application that nobody is meant to get.

import type { PointCheck } from '../check.ts'
import { isSettled } from '../found.ts'
import { takesText, textValue } from '../probing.ts'

type OwnFile = { name: string; shows: RegExp }

/** Their content is never meant for visitors, whatever else a file viewer may show. */
const FILES: readonly OwnFile[] = [
  { name: '.env', shows: /^[A-Z][A-Z0-9_]{2,50}=.{1,300}$/m },
  { name: '.git/config', shows: /\[core\][\s\S]{0,200}repositoryformatversion/ },
  { name: 'db.sqlite3', shows: /^SQLite format 3/ },
  { name: 'settings.py', shows: /^SECRET_KEY\s{0,3}=/m },
  { name: 'config/database.yml', shows: /^\s{0,20}adapter:\s/m },
  { name: 'config.php', shows: /^\s{0,20}<\?php[\s\S]{0,4000}(DB_|pass(word|wd)?['"]?\s{0,3}(=|,))/i },
  { name: 'appsettings.json', shows: /"ConnectionStrings"\s{0,5}:/ },
]
const FOLDERS = ['', '../', '../../']

/** Looks like `reports/march.pdf`, and not like a URL. */
const isFileName = (value: string): boolean => /^[^\s?&=:@]{0,150}[\w-]\.[a-z]\w{1,4}$/i.test(value)

export const applicationFiles: PointCheck = {
  kind: 'point',
  id: 'application-files',
  title: 'Application file disclosure',
  cwes: [552, 22],
  severity: 'HIGH',
  solution:
    'Choose files from an allowlist, or keep the files that may be downloaded in a folder that holds nothing else.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && isFileName(textValue(point)),
  async probe(point, operation, context) {
    if (isSettled(22, operation, point, context)) return null
    const read = (value: string) => context.attempt(operation, [{ point, value }])
    for (const folder of FOLDERS) {
      for (const { name, shows } of FILES) {
        const exchange = await read(folder + name)
        const proof = exchange && shows.exec(exchange.text)?.[0]
        if (!exchange || !proof) continue
        const others = [await read(folder + wrongly(name)), (await context.baseline(operation))?.exchange ?? null]
        if (others.some((other) => other === null || shows.test(other.text))) continue
        return {
          detail: `The value ${folder + name} returns the contents of such a file; a name with one wrong letter does not.`,
          proof: [proof.slice(0, 80)],
          exchange,
        }
      }
    }
    return null
  },
}

const wrongly = (name: string): string => name.replace(/[a-z]/, 'q')
