// No SQL is built from a caller's input: everything that is put into SQL as text is listed here, and was reviewed.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are pieces of sources
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectFiles } from './files.ts'

/**
 * What is put into a Kysely statement as text rather than as a parameter: file → expressions, grouped by the reason why
 * that is safe.
 */
const reviewed: Record<string, Record<string, readonly string[]>> = {
  'a constant, or a member of a constant list': {
    'src/core/db/open-issues.ts': ['lit(status)'],
    'src/modules/assets/store-list.ts': ['lit(severity)', 'lit(riskPoints[severity])', 'ref(oneOf[field])'],
    'src/modules/exports/store-findings.ts': ['lit(MOST_PLACES)'],
    'src/modules/gates/store-facts.ts': ['lit(subject)', 'lit(COUNT_LIMIT + 1)', 'lit(n)', 'lit(type)'],
    'src/core/db/statistics.ts': ['table(name)'],
    'src/modules/issues/findings/store-known.ts': ['ref(column)'],
    'src/modules/issues/findings/store-report.ts': ['ref(column)', 'ref(prefixed(column))'],
    'src/modules/issues/findings/store-twins.ts': [
      'lit(type)',
      'ref(`${finding}.own_vulnerability_ids`)',
      'ref(`${finding}.vulnerability_ids`)',
      'ref(`${finding}.patterns`)',
    ],
    'src/modules/issues/store-deploy-lists.ts': ['raw(FOR_ITS_VALUES)'],
    'src/modules/issues/list-order.ts': ['ref(own.name)'],
    'src/modules/issues/store-list-statements.ts': ['lit(COUNT_LIMIT + 1)', 'raw(FOR_ITS_VALUES)'],
    'src/modules/issues/store-narrowing-filters.ts': ['lit(few)', 'lit(few + 1)', 'lit(most + 1)', 'lit(sieved)'],
    'src/modules/issues/store-list.ts': ['lit(MOST_ASSETS + 1)'],
    'src/modules/issues/store-narrowings.ts': [
      'lit(bounds.near)',
      'lit(bounds.few)',
      'lit(bounds.few + 1)',
      'lit(isSoonFound ? bounds.few + 1 : bounds.many)',
      'lit(bounds.counted)',
      'lit(bounds.soon + 1)',
    ],
    'src/modules/issues/store.ts': ['raw(fields.map((field) => `${columns[field]} as "${field}"`).join(\', \'))'],
    'src/modules/scoring/store-feeds.ts': ['lit(BELIEVED)'],
    'src/modules/issues/store-sla.ts': ['lit(state)'],
    'src/modules/statistics/store.ts': ['lit(severity)'],
    'src/modules/statistics/store-counts.ts': ['lit(place + 1)'],
    'src/modules/statistics/store-history.ts': ['lit(name)', 'ref(name)'],
  },
  'the name of a column that the calling store writes down': {
    'src/core/db/page.ts': ['ref<string>(idColumn)'],
    'src/modules/access/authorize.ts': ['ref(column)'],
    'src/modules/projects/store-list.ts': ['ref(column)'],
  },
  'a name made of a constant and a counter': { 'src/core/db/cursor.ts': ['raw(name)'] },
  'a number between 1 and the largest page': { 'src/modules/issues/store-list-statements.ts': ['lit(page.limit)'] },
}

/** The same for statements that are plain template strings with placeholders. */
const reviewedTemplates: Record<string, readonly string[]> = {
  'src/core/backup.ts': [
    'select max(version) as version from ${SCHEMA_TABLE}',
    "select exists (select from company) as used, (select max(version) from ${SCHEMA_TABLE}) as version, exists (select from pg_stat_activity where datname = current_database() and application_name = 'merlon') as served",
    "truncate ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} cascade",
  ],
  'src/core/backup-tables.ts': [
    'select setval(pg_get_serial_sequence($1, $2), greatest(coalesce(max(${quotedColumn}), 0), 1), max(${quotedColumn}) is not null) from ${quotedTable}',
    'copy ${listed(client, name, names)} to stdout',
    'copy ${listed(client, name, columns)} from stdin',
  ],
  'src/core/db/driver.ts': ['begin${level}${mode}'],
  'src/core/db/embedded.ts': [
    'create role ${APPLICATION} login createdb in role pg_monitor ${password}',
    'create database ${APPLICATION} owner ${APPLICATION}',
  ],
  'src/modules/events/feed.ts': ['listen ${FEED_CHANNEL}'],
  'src/core/db/copy.ts': ['copy ${into} from stdin'],
}

const stores = projectFiles().filter((path) => /^src\/.*\.ts$/.test(path) && !/\.(test|generated)\.ts$/.test(path))
const textOf = (path: string): string => readFileSync(path, 'utf8')

/** The text from an opening parenthesis to its closing one. */
function inParentheses(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}

const fragments = (text: string): string[] =>
  [...text.matchAll(/\bsql\.((?:raw|lit|ref|id|table)(?:<[^>]*>)?)\(/g)].map(
    (match) => match[1] + inParentheses(text, match.index + match[0].length - 1).replaceAll(/\s+/g, ' '),
  )

/** An untagged template that starts like a statement and has a placeholder. */
const STATEMENT =
  /(?<![\w>])`\s*((?:select|insert into|update \w+ set|delete from|create|alter|drop|truncate|copy|listen|declare|lock|grant|set|begin|with \w+ as)\b(?:[^`\\]|\\.)*?\$\{(?:[^`\\]|\\.|`[^`]*`)*?)`/g

test('nothing goes into a statement as text but what was read and listed', () => {
  const known = new Set(
    Object.values(reviewed).flatMap((files) =>
      Object.entries(files).flatMap(([path, listed]) => listed.map((fragment) => `${path}: ${fragment}`)),
    ),
  )

  const found = stores.flatMap((path) => fragments(textOf(path)).map((fragment) => `${path}: ${fragment}`))

  expect(found.filter((fragment) => !known.has(fragment))).toEqual([])
  expect([...known].filter((fragment) => !found.includes(fragment))).toEqual([])
})

test('no statement is a plain template with something in it but those that were read and listed', () => {
  const found = stores.flatMap((path) =>
    [...textOf(path).matchAll(STATEMENT)]
      .map(([, statement = '']) => statement.replaceAll(/\s+/g, ' '))
      .filter((statement) => !reviewedTemplates[path]?.includes(statement))
      .map((statement) => `${path}: ${statement}`),
  )

  expect(found).toEqual([])
})
