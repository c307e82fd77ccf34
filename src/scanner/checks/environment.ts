// Finds the environment of the target's process in a response: variables that every process has, with their values.

import type { PassiveCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Json } from '../types.ts'

/** A list of program folders, as in the variable PATH; a JSON member named `path` has no such value. */
const FOLDERS = /^(\/[\w./-]{1,200}:){0,40}\/(usr\/)?(local\/)?s?bin(:|$)|(^|;)[A-Z]:\\WINDOWS\\system32(;|$)/i
/** Other variables that a process environment has. */
const BESIDE = new Set(
  'HOME PWD USER LOGNAME SHELL HOSTNAME LANG LC_ALL TERM SHLVL OLDPWD TMPDIR NODE_ENV NODE_VERSION JAVA_HOME PYTHON_VERSION GPG_KEY GOPATH USERPROFILE SYSTEMROOT COMPUTERNAME APPDATA'.split(
    ' ',
  ),
)
const DEEPEST = 8
const MOST_OBJECTS = 2_000
const LONGEST = 300_000

export const environment: PassiveCheck = {
  kind: 'passive',
  id: 'environment-told',
  title: 'Process environment disclosed',
  cwes: [497, 526, 200],
  severity: 'HIGH',
  solution: 'Remove the page, or restrict it to operators: environment variables hold keys and passwords.',
  profile: 'BASIC',
  *look(exchange) {
    const { answer, text, operation, request } = exchange
    // an answer to a fault may have it too
    if ((answer.status >= 300 && answer.status < 400) || !/path/i.test(text)) return
    const folders = foldersIn(exchange)
    // a command that a probe had the target run shows what it likes
    if (folders === null || exchange.values?.some((value) => /env|set|path/i.test(value))) return
    yield {
      detail: 'The response contains the environment variables of the server process.',
      proof: [folders.slice(0, 200)],
      exchange,
      // all faults are answered by one part of a service
      cause:
        answer.status >= 500
          ? `${URL.parse(request.url)?.origin} fault`
          : operation || URL.parse(request.url)?.pathname,
    }
  },
}

/** The value of PATH, if other environment variables stand beside it. */
function foldersIn({ text }: Exchange): string | null {
  const json = readJson(text)
  return json === undefined ? foldersInText(text.slice(0, LONGEST)) : foldersInJson(json)
}

function foldersInText(text: string): string | null {
  const found = /^PATH=(\S{4,2000})$/m.exec(text)?.[1]
  const names = [...text.matchAll(/^([A-Z][A-Z_]{2,20})=/gm)].map(([, name = '']) => name)
  return found !== undefined && FOLDERS.test(found) && names.some((name) => BESIDE.has(name)) ? found : null
}

function foldersInJson(json: Json): string | null {
  const left: [Json, number][] = [[json, 0]]
  for (let seen = 0; left.length > 0 && seen < MOST_OBJECTS; seen += 1) {
    const [value, depth] = left.pop() ?? [null, 0]
    if (depth > DEEPEST) continue
    if (isList(value)) for (const one of value.slice(0, 50)) left.push([one, depth + 1])
    if (!isObject(value)) continue
    const folders = textOf(value.PATH ?? value.Path)
    const names = Object.keys(value)
    if (folders !== null && FOLDERS.test(folders) && names.some((name) => BESIDE.has(name.toUpperCase())))
      return folders
    for (const one of Object.values(value)) left.push([one, depth + 1])
  }
  return null
}

/** The value of a variable, given directly or as `{"value": …}`. */
const textOf = (value: Json | undefined): string | null => {
  const given = isObject(value) ? value.value : value
  return typeof given === 'string' ? given : null
}
