// Reads a commit history in the forms that pipelines send: JSON of several shapes, the text of `git log`, and mailed patches.

import { jsonOf } from '../../core/json.ts'

/** A commit for display. `id` is in lower case, but as long as it was written; `authoredAt` is ISO 8601 in UTC. */
export type Commit = {
  id: string | null
  message: string
  author: string | null
  authorEmail: string | null
  authoredAt: string | null
}

/** Commits kept of one history. */
const MOST_COMMITS = 1000
/** Characters kept of a message, and of a name or an address. */
const LONGEST_MESSAGE = 2000
const LONGEST_NAME = 300

/** The commits in the order of the text, at most 1,000; empty if nothing is recognised. Never throws. */
export function readHistory(text: string): Commit[] {
  const trimmed = text.replace(/^\uFEFF/, '').trimStart()
  const json = /^[[{]/.test(trimmed) ? parseJson(trimmed) : undefined
  const commits = json === undefined ? readText(trimmed) : listOf(json).flatMap(readEntry)
  return commits.slice(0, MOST_COMMITS).map(bounded)
}

/** When the newest commit was authored: the deployed commit if it is in the list, else the latest. */
export function newestAuthoredAt(commits: readonly Commit[], currentCommit: string): string | null {
  const deployed = commits.find(
    ({ id }) => id !== null && (id.startsWith(currentCommit) || currentCommit.startsWith(id)),
  )
  if (deployed?.authoredAt) return deployed.authoredAt
  const times = commits.flatMap(({ authoredAt }) => authoredAt ?? []).sort()
  return times.at(-1) ?? null
}

function bounded(commit: Commit): Commit {
  const cut = (text: string | null, most: number) => (text === null ? null : clean(text, most) || null)
  return {
    id: commit.id,
    message: cut(commit.message.trim(), LONGEST_MESSAGE) ?? '',
    author: cut(commit.author, LONGEST_NAME),
    authorEmail: cut(commit.authorEmail, LONGEST_NAME),
    authoredAt: commit.authoredAt,
  }
}

/** The first `most` characters. PostgreSQL stores neither NUL nor an unpaired surrogate, such as a cut may leave. */
const clean = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most).toWellFormed()

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Parses one document, or one per line; undefined if it is neither. */
function parseJson(text: string): unknown {
  const document = jsonOf(text)
  if (document !== undefined) return document
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const documents = lines.slice(0, MOST_COMMITS).map(jsonOf)
  return documents.includes(undefined) ? undefined : documents
}

/** The list itself, or the list under one of the usual names. */
function listOf(json: unknown): unknown[] {
  if (Array.isArray(json)) return json
  if (!isFields(json)) return []
  for (const name of ['commits', 'history', 'commitHistory', 'log', 'values', 'data']) {
    const list = json[name]
    if (Array.isArray(list)) return list
  }
  return [json]
}

function readEntry(entry: unknown): Commit[] {
  if (typeof entry === 'string') return readText(entry)
  if (!isFields(entry)) return []
  const inner = isFields(entry.commit) ? entry.commit : {}
  const from = (...names: string[]) => firstText(entry, names) ?? firstText(inner, names)
  // hosts show the author of a nested commit with a name and an address, and beside it the account as whose it counts
  const person = [inner.author, entry.author, entry.committer].find((value) => value !== undefined && value !== null)
  const named = typeof person === 'string' ? readPerson(person) : { name: null, email: null }
  const details = isFields(person) ? person : {}
  const raw = readPerson(firstText(details, ['raw']) ?? '')
  const date =
    from(
      'authoredAt',
      'authored_at',
      'authored_date',
      'author_date',
      'authorDate',
      'date',
      'timestamp',
      'created_at',
    ) ??
    firstText(details, ['date', 'when', 'timestamp']) ??
    firstText(isFields(inner.author) ? inner.author : {}, ['date'])
  const id = from('sha', 'hash', 'id', 'commit', 'oid', 'commitId', 'commit_id', 'commitHash', 'commit_hash')
  const message = from('message', 'msg', 'subject', 'title', 'messageHeadline', 'description')
  if (id === null && message === null) return []
  return [
    {
      id: readCommitId(id),
      message: message ?? '',
      author: from('author_name', 'authorName') ?? firstText(details, ['name', 'login']) ?? named.name ?? raw.name,
      authorEmail:
        from('author_email', 'authorEmail', 'email') ?? firstText(details, ['email']) ?? named.email ?? raw.email,
      authoredAt: readTime(date),
    },
  ]
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return null
}

function readCommitId(text: string | null): string | null {
  const id = text?.trim().toLowerCase() ?? ''
  return /^[0-9a-f]{4,64}$/.test(id) ? id : null
}

/** `Name <address>`, or either alone. */
function readPerson(text: string): { name: string | null; email: string | null } {
  const opening = text.lastIndexOf('<')
  const closing = text.indexOf('>', opening)
  if (opening < 0 || closing < 0) return { name: text.trim() || null, email: null }
  return { name: text.slice(0, opening).trim() || null, email: text.slice(opening + 1, closing).trim() || null }
}

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/

/** Reads seconds or milliseconds since 1970, or a date as written by git, mails or ISO 8601; without a zone it is UTC. */
function readTime(text: string | null): string | null {
  if (text === null) return null
  const trimmed = text.trim().slice(0, 100)
  const number = /^\d{9,13}$/.test(trimmed) ? Number(trimmed) : null
  const time =
    number === null
      ? Date.parse(WITHOUT_ZONE.test(trimmed) ? `${trimmed}Z` : trimmed)
      : number < 1e11
        ? number * 1000
        : number
  return Number.isNaN(time) || time < 0 || time > Date.UTC(9999) ? null : new Date(time).toISOString()
}

const begins = /^commit ([0-9a-f]{7,64})(?: |$)|^From ([0-9a-f]{40}|[0-9a-f]{64}) /
const oneLine = /^([0-9a-f]{7,64})[\s,;|](.*)$/

/** The commit being read so far, and the part of it that the reader is in. */
type Reading = { commit: Commit; part: 'HEADER' | 'MESSAGE' | 'DIFF'; isMail: boolean; lastHeader: string }

function readText(text: string): Commit[] {
  const commits: Commit[] = []
  let reading: Reading | null = null
  for (const raw of linesOf(text)) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const start = begins.exec(line)
    if (start && !isQuoted(start, reading)) {
      if (commits.length >= MOST_COMMITS) break
      const commit = newCommit(start[1] ?? start[2] ?? null, '')
      reading = { commit, part: 'HEADER', isMail: start[2] !== undefined, lastHeader: '' }
      commits.push(commit)
    } else if (reading !== null) readLine(reading, line)
    else {
      const single = oneLine.exec(line)
      if (single && commits.length < MOST_COMMITS) commits.push(newCommit(single[1] ?? null, single[2] ?? ''))
    }
  }
  return commits
}

/** In a mail the lines of a message are not indented, and one may name another commit: `commit 1a2b3c4 upstream.` */
const isQuoted = ([, ofLog]: RegExpExecArray, reading: Reading | null): boolean =>
  ofLog !== undefined && (reading?.isMail ?? false)

const newCommit = (id: string | null, message: string): Commit => ({
  id,
  message,
  author: null,
  authorEmail: null,
  authoredAt: null,
})

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    yield end < 0 ? text.slice(at) : text.slice(at, end)
    if (end < 0) return
    at = end + 1
  }
}

function readLine(reading: Reading, line: string): void {
  const { commit, isMail } = reading
  if (reading.part === 'DIFF') return
  if (/^diff |^---$/.test(line)) {
    reading.part = 'DIFF'
    return
  }
  if (reading.part === 'MESSAGE') {
    if (commit.message.length < LONGEST_MESSAGE) commit.message += `${line.replace(/^ {4}/, '')}\n`
    return
  }
  if (line === '') reading.part = 'MESSAGE'
  if (isMail && /^\s/.test(line) && reading.lastHeader === 'Subject') commit.message += ` ${line.trim()}`
  const [, name = '', value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? []
  if (name !== '') reading.lastHeader = name
  if (name === 'Author' || name === 'From') {
    const person = readPerson(value)
    commit.author = person.name
    commit.authorEmail = person.email
  }
  if (name === 'Date' || name === 'AuthorDate') commit.authoredAt = readTime(value)
  if (name === 'Subject') commit.message = value.replace(/^\[PATCH[^\]]*\]\s*/, '')
  if (line === '' && isMail && commit.message !== '') commit.message += '\n\n'
}
