// Commit histories, in the forms that pipelines send.

import { describe, expect, test } from 'vitest'
import { newestAuthoredAt, readHistory } from './history.ts'

const ids = ['a'.repeat(40), 'b'.repeat(40)]

describe('commit histories', () => {
  test('a date without a zone is of UTC, wherever the service runs', () => {
    const zone = process.env.TZ
    process.env.TZ = 'Asia/Tokyo'
    try {
      const dates = ['2024-05-01T10:00:00', '2024-05-01 10:00:00.5', '2024-05-01T10:00', '2024-05-01T10:00:00+02:00']
      const read = dates.map((date) => readHistory(JSON.stringify([{ sha: ids[0], message: 'Begin', date }])))

      expect(read.map(([commit]) => commit?.authoredAt)).toEqual([
        '2024-05-01T10:00:00.000Z',
        '2024-05-01T10:00:00.500Z',
        '2024-05-01T10:00:00.000Z',
        '2024-05-01T08:00:00.000Z',
      ])
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })

  test('the text of git log is read with authors, dates and whole messages', () => {
    const text = [
      `commit ${ids[0]} (HEAD -> main)`,
      'Merge: 1111111 2222222',
      'Author: Ada Byron <ada@example.test>',
      'Date:   Mon Jan 2 15:04:05 2006 -0700',
      '',
      '    Sum up the interest',
      '    ',
      '    commit to nothing else',
      '',
      `commit ${ids[1]}`,
      'Author: Grace <grace@example.test>',
      'AuthorDate: 2006-01-01 10:00:00 +0100',
      '',
      '    Begin',
      '',
    ].join('\n')

    const commits = readHistory(text)

    expect(commits).toEqual([
      {
        id: ids[0],
        message: 'Sum up the interest\n\ncommit to nothing else',
        author: 'Ada Byron',
        authorEmail: 'ada@example.test',
        authoredAt: '2006-01-02T22:04:05.000Z',
      },
      {
        id: ids[1],
        message: 'Begin',
        author: 'Grace',
        authorEmail: 'grace@example.test',
        authoredAt: '2006-01-01T09:00:00.000Z',
      },
    ])
  })

  test('mails of patches are read without their diffs', () => {
    const text = [
      `From ${ids[0]} Mon Sep 17 00:00:00 2001`,
      'From: Ada <ada@example.test>',
      'Date: Mon, 2 Jan 2006 15:04:05 -0700',
      'Subject: [PATCH 1/2] Count the pages of',
      ' a book',
      '',
      'And of two.',
      '---',
      ' a.txt | 2 +-',
      'diff --git a/a.txt b/a.txt',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1 +1 @@',
      '-Author: Nobody <nobody@example.test>',
      '+x',
    ].join('\n')

    const [commit, ...others] = readHistory(text)

    expect(others).toEqual([])
    expect(commit).toEqual({
      id: ids[0],
      message: 'Count the pages of a book\n\nAnd of two.',
      author: 'Ada',
      authorEmail: 'ada@example.test',
      authoredAt: '2006-01-02T22:04:05.000Z',
    })
  })

  test('a commit that the message of a mail names is none of the history', () => {
    const text = [
      `From ${ids[0]} Mon Sep 17 00:00:00 2001`,
      'From: Ada <ada@example.test>',
      'Date: Mon, 2 Jan 2006 15:04:05 -0700',
      'Subject: [PATCH] Count the pages',
      '',
      `commit ${ids[1]} upstream.`,
      '',
      'They start with one.',
      '---',
    ].join('\n')

    const commits = readHistory(text)

    expect(commits).toEqual([
      {
        id: ids[0],
        message: `Count the pages\n\ncommit ${ids[1]} upstream.\n\nThey start with one.`,
        author: 'Ada',
        authorEmail: 'ada@example.test',
        authoredAt: '2006-01-02T22:04:05.000Z',
      },
    ])
  })

  test.each([
    [
      'a list of flat objects',
      [{ sha: ids[0], message: 'm', author: 'Ada', email: 'ada@example.test', date: '2006-01-02T22:04:05Z' }],
    ],
    [
      'an object with commits',
      {
        commits: [{ hash: ids[0], subject: 'm', author: { name: 'Ada', email: 'ada@example.test', date: 1136239445 } }],
      },
    ],
    [
      'nested commits of a host',
      [
        {
          sha: ids[0],
          commit: { message: 'm', author: { name: 'Ada', email: 'ada@example.test', date: '2006-01-02T22:04:05Z' } },
        },
      ],
    ],
    [
      'nested commits beside the accounts of their authors',
      [
        {
          sha: ids[0],
          commit: { message: 'm', author: { name: 'Ada', email: 'ada@example.test', date: '2006-01-02T22:04:05Z' } },
          author: { login: 'countess', id: 1 },
          committer: { login: 'web-flow', id: 2 },
        },
      ],
    ],
    [
      'names with underscores',
      [
        {
          id: ids[0],
          message: 'm',
          author_name: 'Ada',
          author_email: 'ada@example.test',
          authored_date: '2006-01-02 15:04:05 -0700',
        },
      ],
    ],
    [
      'an author in one text',
      {
        values: [
          { hash: ids[0]?.toUpperCase(), message: 'm', author: { raw: 'Ada <ada@example.test>' }, date: 1136239445000 },
        ],
      },
    ],
  ])('JSON is read as %s', (_, json) => {
    const commits = readHistory(JSON.stringify(json))

    expect(commits).toEqual([
      {
        id: ids[0],
        message: 'm',
        author: 'Ada',
        authorEmail: 'ada@example.test',
        authoredAt: '2006-01-02T22:04:05.000Z',
      },
    ])
  })

  test('one object a line is JSON as well, and one commit a line is text', () => {
    const objects = readHistory(`{"id":"${ids[0]}","message":"one"}\n{"id":"${ids[1]}","message":"two"}\n`)
    const lines = readHistory('1a2b3c4 one\n5d6e7f8 two\n')

    expect(objects.map(({ message }) => message)).toEqual(['one', 'two'])
    expect(lines.map(({ id, message }) => `${id} ${message}`)).toEqual(['1a2b3c4 one', '5d6e7f8 two'])
  })

  test('what is no history gives no commits', () => {
    const nothing = ['', 'hello', '{}', '[]', '[1, null, "x"]', '{"a":', '[[[[', 'commit', '\0'].map((text) =>
      readHistory(text),
    )

    expect(nothing.flat()).toEqual([])
  })

  test('a long history is cut at a thousand commits, a long message at two thousand characters', () => {
    const entries = Array.from({ length: 1500 }, () => ({ id: ids[0], message: 'x'.repeat(5000) }))

    const fromJson = readHistory(JSON.stringify(entries))
    const fromText = readHistory(entries.map(({ id, message }) => `commit ${id}\n\n    ${message}\n`).join(''))

    expect([fromJson.length, fromText.length]).toEqual([1000, 1000])
    expect([fromJson[0]?.message.length, fromText[0]?.message.length]).toEqual([2000, 2000])
  })

  test('the deployed commit tells when it was authored, else the last one in time does', () => {
    const commits = readHistory(
      JSON.stringify([
        { id: ids[0], message: 'a', date: '2020-01-01T00:00:00Z' },
        { id: ids[1], message: 'b', date: '2021-01-01T00:00:00Z' },
      ]),
    )

    const named = newestAuthoredAt(commits, 'aaaaaaaa')
    const last = newestAuthoredAt(commits, 'c'.repeat(40))

    expect([named, last]).toEqual(['2020-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'])
  })
})
