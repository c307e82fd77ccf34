// Checks for files and pages that are not meant to be public, recognised by their content, and only if a random name is answered otherwise.

import type { TargetCheck } from '../check.ts'
import { textLikeness } from '../compare.ts'
import { headerOf } from '../http.ts'
import { quietly } from '../probing.ts'
import type { Exchange } from '../types.ts'
import { hiddenFiles as list } from './hidden-file-list.ts'
import { hiddenTitles } from './hidden-file-titles.ts'

export const hiddenFiles: TargetCheck = {
  kind: 'target',
  id: 'hidden-file',
  title: 'Sensitive file exposed',
  cwes: [538],
  severity: 'MEDIUM',
  solution: 'Keep it out of the web root, or require credentials.',
  profile: 'BASIC',
  async *probe(context) {
    const ask = (path: string) =>
      quietly(
        context.send(
          {
            method: 'GET',
            url: `${context.target.origin}${path}`,
            headers: [
              ['Host', context.target.host],
              ['Accept', '*/*'],
            ],
            body: null,
          },
          { identity: null },
        ),
      )
    const wrong: Exchange[] = []
    for (const path of [`/${context.word()}`, `/.${context.word()}/${context.word()}`, `/${context.word()}.sql`]) {
      const exchange = await ask(path)
      if (exchange) wrong.push(exchange)
    }
    const folder = /^(\/.+)\/[^/]*$/.exec(context.target.pathname)?.[1] ?? ''
    for (const { path, shows, cwe, severity, thing } of list) {
      for (const base of folder === '' ? [''] : ['', folder]) {
        const exchange = await ask(base + path)
        if (exchange?.answer.status !== 200 || exchange.text.length === 0) continue
        const proof = shows.exec(exchange.text)?.[0]
        const isPage = /html/.test(headerOf(exchange.answer, 'content-type')) && !/[<\\]|html/i.test(shows.source)
        const isUsual = wrong.some(
          (one) =>
            one.answer.status === 200 &&
            (shows.test(one.text) || textLikeness(one.text.slice(0, 20_000), exchange.text.slice(0, 20_000)) > 0.95),
        )
        if (!proof || isPage || isUsual) continue
        yield {
          title: hiddenTitles[thing],
          cwes: [cwe, 538],
          severity,
          detail: `${base + path} is served to anyone.`,
          proof: [proof.slice(0, 200)],
          exchange,
          cause: `${context.target.origin} ${thing}`,
        }
      }
    }
  },
}
