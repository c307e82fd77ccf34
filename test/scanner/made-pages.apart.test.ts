// Scripts that are kept and show on a page which the form itself makes.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

type Board = { isEscaping: boolean; isListed: boolean }

/** Tasks have a page of their own each, to which the answer leads, or the list. */
const board = ({ isEscaping, isListed }: Board): Handler => {
  const tasks: string[] = []
  return ({ method, path, body }) => {
    if (path === '/tasks' && method === 'POST') {
      tasks.push(new URLSearchParams(String(body)).get('text') ?? '')
      return [302, '', { location: isListed ? '/tasks' : `/tasks/${tasks.length}` }]
    }
    const at = /^\/tasks\/(\d+)$/.exec(path)?.[1]
    if (at !== undefined) {
      const text = tasks[Number(at) - 1] ?? ''
      return [200, `<p>${isEscaping ? text.replaceAll('<', '&lt;') : text}</p>`]
    }
    const links = isListed ? tasks.map((_, index) => `<a href="/tasks/${index + 1}">Task</a>`) : []
    return [200, `<form method="post" action="/tasks"><input name="text"></form>${links.join('')}`]
  }
}

const found = async (of: Board) => {
  const checks = ['cross-site-scripting', 'stored-cross-site-scripting', 'reread']
  const findings = await findingsOf(board(of), checks, {}, { schema: null, crawl: true, profile: 'DEEP' })
  return findings.map(({ check, operation }) => `${check} ${operation}`)
}

test.each([true, false])(
  'a script on a page that was made for it is found (led to by a list: %s)',
  async (isListed) => {
    expect(await found({ isEscaping: false, isListed })).toEqual(['stored-cross-site-scripting POST /tasks#text'])
    expect(await found({ isEscaping: true, isListed })).toEqual([])
  },
)
