// `merlon policy`: the rules of a gate as a file beside the code.

import { expect, test } from 'vitest'
import { newHome } from '../testkit/findings.ts'
import { merlon, merlonJson } from './command.ts'

test('what is shown as JSON is what is set, of the company or of an asset, until it is deleted', async () => {
  const { key, assetId } = await newHome()
  const own = ['--asset', String(assetId)]

  const builtIn = await merlonJson(['policy', 'show'], { key })
  const hard = [{ ...builtIn[0], name: 'Nothing bad', despiteReports: true }]
  const ended = [
    await merlon(['policy', 'show'], { key }),
    await merlon(['policy', 'set', '-', ...own], { key, input: JSON.stringify(hard) }),
    await merlon(['policy', 'show'], { key }),
    await merlon(['policy', 'set', '-'], { key, input: '[]' }),
    await merlon(['policy', 'delete', ...own], { key }),
    await merlon(['policy', 'delete', ...own], { key }),
  ]

  const rules = [
    '  BLOCK  any introduced finding of CRITICAL or HIGH severity',
    '  WARN   any introduced finding of MEDIUM severity',
  ]
  expect(ended.map(({ code, out }) => [code, out.trimEnd()])).toEqual([
    [0, ['The built-in policy:', ...rules].join('\n')],
    [
      0,
      [
        "The asset's own policy:",
        rules[0]?.replace('any', 'Nothing bad: any').concat(', even if suppressed by a report'),
      ].join('\n'),
    ],
    [0, ['The built-in policy:', ...rules].join('\n')],
    [0, "The company's policy has no rules: everything passes"],
    [0, "The company's policy has no rules: everything passes"],
    [1, ''],
  ])
  expect(ended.at(-1)?.err).toBe('The asset has no policy of its own\n')
})

test.each([
  ['missing.json', 'There is no file missing.json'],
  ['package.json', 'package.json is not a list of rules as merlon policy show --json prints it'],
  ['README.md', 'README.md is not a list of rules as merlon policy show --json prints it'],
])('%s is no policy', async (file, sentence) => {
  const { key } = await newHome()

  expect(await merlon(['policy', 'set', file], { key })).toEqual({ code: 2, out: '', err: `${sentence}\n` })
})

test('a rule that cannot be right is named', async () => {
  const { key } = await newHome()
  const input = JSON.stringify([{ subject: 'OPEN', limit: -1, decision: 'WARN' }])

  const { code, err } = await merlon(['policy', 'set', '-'], { key, input })

  expect([code, err]).toEqual([2, expect.stringContaining('limit is a whole number from 0 to 1000000')])
})
