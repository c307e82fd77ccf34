// Lints the files named on standard input, in the directory given as the first argument, and prints the findings as JSON.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Linter } from 'eslint'
import security from 'eslint-plugin-security'

/**
 * Rules that match in most code, besides the security rules: the more findings there are, the harder they are to tell
 * apart.
 */
const common = [
  'eqeqeq',
  'no-unused-vars',
  'no-shadow',
  'no-eval',
  'no-param-reassign',
  'no-console',
  'no-empty',
  'consistent-return',
  'no-use-before-define',
  'no-underscore-dangle',
]

const [directory = '.'] = process.argv.slice(2)
const files = (await json(process.stdin)) as string[]
const rules = Object.fromEntries([
  ...common.map((rule) => [rule, 'warn']),
  ...Object.keys(security.rules ?? {}).map((rule) => [`security/${rule}`, 'warn']),
])
const linter = new Linter()
const results = []
for (const filePath of files) {
  const code = await readFile(join(directory, filePath), 'utf8').catch(() => null)
  if (code === null) continue
  for (const sourceType of ['commonjs', 'module'] as const) {
    const languageOptions = { sourceType, ecmaVersion: 'latest' as const }
    const messages = linter.verify(
      code,
      [{ files: ['**/*'], languageOptions, plugins: { security }, rules, linterOptions: { noInlineConfig: true } }],
      {
        filename: 'file.js',
      },
    )
    const isRead = messages.every(({ fatal }) => !fatal)
    if (isRead)
      results.push({
        filePath,
        messages: messages.map(({ ruleId, line, column, message }) => ({ ruleId, line, column, message })),
      })
    if (isRead) break
  }
}
process.stdout.write(JSON.stringify(results))
