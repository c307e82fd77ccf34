// curl commands that a page shows, as documentation does, as requests to the target.

import { Parser } from 'htmlparser2'
import type { Operation } from '../types.ts'
import { fromObserved } from './observed.ts'

const MOST_COMMANDS = 60
const LONGEST_COMMAND = 4_000
/** Flags that take a value, by what the value is; others that take one are skipped with it. */
const FLAGS: Readonly<Record<string, 'method' | 'header' | 'data' | 'cookie' | 'skipped'>> = {
  '-X': 'method',
  '--request': 'method',
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-raw': 'data',
  '--data-binary': 'data',
  '--data-urlencode': 'data',
  '--json': 'data',
  '-b': 'cookie',
  '--cookie': 'cookie',
  '-o': 'skipped',
  '-u': 'skipped',
  '--user': 'skipped',
  '-A': 'skipped',
  '-e': 'skipped',
  '-F': 'skipped',
  '--form': 'skipped',
}

/** What the commands in a page ask of its own origin; those for other hosts are left out. */
export function fromCommands(html: string, page: string): Operation[] {
  const found = codeIn(html).flatMap((code) => fromText(code, page))
  return found.slice(0, MOST_COMMANDS)
}

/** The texts that the page shows as code, with their lines. */
function codeIn(html: string): string[] {
  const found: string[] = []
  let depth = 0
  let text = ''
  const isCode = (tag: string) => ['pre', 'code', 'samp'].includes(tag)
  const parser = new Parser({
    onopentag(tag) {
      if (isCode(tag)) depth += 1
    },
    ontext(part) {
      if (depth > 0) text += part
    },
    onclosetag(tag) {
      if (!isCode(tag)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0 && text !== '') found.push(text)
      if (depth === 0) text = ''
    },
  })
  parser.end(html)
  return found
}

function fromText(text: string, page: string): Operation[] {
  const origin = URL.parse(page)?.origin
  const commands = [...text.matchAll(/(?:^|[\s$>])curl[ \t]/g)].slice(0, MOST_COMMANDS)
  return commands.flatMap(({ index }) => {
    const words = wordsOf(text.slice(index, index + LONGEST_COMMAND))
    const operation = words === null ? null : asked(words.slice(1), page)
    return operation !== null && operation.origin === origin ? [operation] : []
  })
}

function asked(words: readonly string[], page: string): Operation | null {
  let method: string | null = null
  let url: string | null = null
  const headers: [string, string][] = []
  const cookies: [string, string][] = []
  const data: string[] = []
  let isJson = false
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const flag = FLAGS[word] ?? FLAGS[word.slice(0, 2)]
    if (flag === undefined) {
      if (!word.startsWith('-') && url === null) url = word
      continue
    }
    // the value of a short flag may be joined to it: -XPOST
    const isJoined = FLAGS[word] === undefined && !word.startsWith('--')
    if (FLAGS[word] === undefined && !isJoined) continue
    if (!isJoined) at += 1
    const value = isJoined ? word.slice(2) : (words[at] ?? '')
    if (flag === 'method') method = value
    else if (flag === 'data') data.push(value)
    else if (flag === 'cookie') cookies.push(...pairsOf(value))
    else if (flag === 'header') headers.push(...headerOf(value))
    isJson ||= word === '--json'
  }
  if (url === null) return null
  const [, cookie] = headers.find(([name]) => /^cookie$/i.test(name)) ?? []
  if (cookie !== undefined) cookies.push(...pairsOf(cookie))
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1]
  const operation = fromObserved({
    method: method ?? (data.length > 0 ? 'POST' : 'GET'),
    url: /^https?:\/\//i.test(url) ? url : `http://${url}`,
    headers,
    body: data.length > 0 ? data.join('&') : null,
    mediaType: type ?? (isJson ? 'application/json' : 'application/x-www-form-urlencoded'),
    source: 'crawl',
    foundOn: page,
  })
  if (operation === null || cookies.length === 0) return operation
  const given = cookies.map(([name, value]) => ({ place: 'cookie' as const, name, value, required: false }))
  return { ...operation, parameters: [...operation.parameters, ...given] }
}

const headerOf = (line: string): [string, string][] => {
  const at = line.indexOf(':')
  return at < 1 || !/^[\w-]+$/.test(line.slice(0, at)) ? [] : [[line.slice(0, at), line.slice(at + 1).trim()]]
}

/** Of `a=1; b=2`; a file of cookies has no pairs. */
const pairsOf = (text: string): [string, string][] =>
  text.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    return at < 1 || !/^[\w.-]+$/.test(name) ? [] : [[name, pair.slice(at + 1).trim()]]
  })

/** The words of the command at the start of a text, as a shell reads them; null where its quotes do not end. */
function wordsOf(text: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  const start = text.search(/curl/)
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (quote !== '') {
      if (letter === quote) quote = ''
      else if (letter === '\\' && quote === '"' && /["\\$`]/.test(text[at + 1] ?? '')) {
        at += 1
        word += text[at] ?? ''
      } else word += letter
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (letter === '\\') {
      at += 1
      if (text[at] === '\r') at += 1
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '')
    } else if (/[\s;|&<>]/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
      if (!/[ \t]/.test(letter)) return words
    } else word = (word ?? '') + letter
  }
  if (word !== null) words.push(word)
  return quote === '' ? words : null
}
