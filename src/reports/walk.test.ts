// How JSON, XML and CSV are walked while their bytes arrive, and how what is packed is opened.

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import { headOf } from './detect.ts'
import { readReport } from './index.ts'
import { type JsonItem, placeOf } from './json-items.ts'
import { readJson } from './json-walk.ts'
import { NotRecognised, ReportFault } from './types.ts'
import { unpacked } from './unpack.ts'
import { readXml } from './xml-walk.ts'

const chunks = (bytes: Uint8Array, size = bytes.length || 1) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }

const json = (text: string, paths: readonly string[], size?: number) =>
  Array.fromAsync(readJson(chunks(Buffer.from(text), size)(), paths))

const xml = (text: string | Buffer, paths: readonly string[], size?: number) =>
  Array.fromAsync(readXml(chunks(Buffer.from(text), size)(), paths))

const csv = (text: string) => Array.fromAsync(readCsv(chunks(Buffer.from(text))))

const opened = async (bytes: Uint8Array, size?: number) => {
  const source = await unpacked({ name: 'report', open: chunks(bytes, size) })
  return Buffer.concat(await Array.fromAsync(source.open())).toString()
}

const valuesOf = (items: readonly JsonItem[]) => items.flatMap((item) => (item.kind === 'VALUE' ? [item.value] : []))

describe('walking JSON', () => {
  const report =
    '{"runs":[{"tool":{"name":"a \\"b\\" {"},"results":[{"n":1},{"n":[2,{}]}]},{"results":[3,null]}],"v":"x"}'

  test('gives the values at the paths asked for, with where they stand', async () => {
    const items = await json(report, ['runs[].results[]', 'runs[].tool', 'v'])

    expect(items.map((item) => (item.kind === 'VALUE' ? [placeOf(item.keys), item.value] : item))).toEqual([
      ['runs[0].tool', { name: 'a "b" {' }],
      ['runs[0].results[0]', { n: 1 }],
      ['runs[0].results[1]', { n: [2, {}] }],
      ['runs[1].results[0]', 3],
      ['runs[1].results[1]', null],
      ['v', 'x'],
    ])
  })

  test('gives the same whatever the chunks', async () => {
    const whole = await json(report, ['runs[].results[]', 'runs[].tool'])

    for (const size of [1, 2, 3, 7])
      expect(await json(report, ['runs[].results[]', 'runs[].tool'], size)).toEqual(whole)
  })

  test('gives any JSON back as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), async (value, size) => {
        const items = await json(JSON.stringify([value, value]), ['[]'], size)

        expect(valuesOf(items)).toEqual([value, value].map((each) => JSON.parse(JSON.stringify(each))))
      }),
    )
  })

  test('gives the values of an object whose keys are data', async () => {
    const items = await json('{"vulnerabilities":{"a.b":{"x":1},"__proto__":{"x":2}}}', ['vulnerabilities.*'])

    expect(items.map((item) => item.kind === 'VALUE' && item.keys)).toEqual([
      ['vulnerabilities', 'a.b'],
      ['vulnerabilities', '__proto__'],
    ])
  })

  test('reads documents that follow each other', async () => {
    expect(valuesOf(await json('{"a":1}\n{"a":2}{"a":3}\n', ['']))).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
  })

  test('tells of a value that is not valid, and goes on behind it', async () => {
    const items = await json('{"r":[{"a":1},{a:2},{"a":3}]}', ['r[]'])

    expect(items.map(({ kind }) => kind)).toEqual(['VALUE', 'FAULT', 'VALUE'])
  })

  test('says that a document was cut, after all that stood before', async () => {
    const items = await json('{"r":[{"a":1},{"a":2', ['r[]'])

    expect(items.map(({ kind }) => kind)).toEqual(['VALUE', 'TRUNCATED'])
  })

  test('stops at what is no JSON', async () => {
    expect((await json('{"r":[1,2]} <html>', ['r[]'])).at(-1)?.kind).toBe('TRUNCATED')
  })

  test('does not read what is nested a million times', async () => {
    const items = await json(`{"r":[${'['.repeat(1e6)}${']'.repeat(1e6)},1]}`, ['r[]'])

    expect(items.map(({ kind }) => kind)).toEqual(['FAULT', 'VALUE'])
  })

  test('does not keep a value of more than 32 MiB', async () => {
    const items = await json(`{"r":["${'x'.repeat(33 * 1024 * 1024)}",1]}`, ['r[]'], 65_536)

    expect(items.map(({ kind }) => kind)).toEqual(['FAULT', 'VALUE'])
  })
})

describe('walking XML', () => {
  test('gives the elements at the paths asked for, with what is around them', async () => {
    const text =
      '<?xml version="1.0"?><r><x:site name="s"><i n="1">a<b> c </b>&lt;</i><i><![CDATA[<d>]]></i></x:site></r>'

    const items = await xml(text, ['r/site/i'], 3)

    expect(items.map((item) => item.kind === 'VALUE' && [item.ancestors.at(-1)?.attributes, item.element])).toEqual([
      [
        { name: 's' },
        { name: 'i', attributes: { n: '1' }, text: 'a<', children: [expect.objectContaining({ text: 'c' })] },
      ],
      [{ name: 's' }, { name: 'i', attributes: {}, text: '<d>', children: [] }],
    ])
  })

  test('refuses a document that declares entities', async () => {
    const bomb = '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b SYSTEM "file:///etc/passwd">]><r><i>&b;</i></r>'

    await expect(xml(bomb, ['r/i'])).rejects.toThrow(ReportFault)
  })

  test('leaves the names of unknown entities as they are', async () => {
    const [item] = await xml('<r><i>a&nbsp;b</i></r>', ['r/i'])

    expect(item).toMatchObject({ kind: 'VALUE', element: { text: 'a&nbsp;b' } })
  })

  test('gives what stood before a fault, and says so', async () => {
    expect((await xml('<r><i>1</i><i n=2>2</i></r>', ['r/i'])).map(({ kind }) => kind)).toEqual(['VALUE', 'TRUNCATED'])
    expect((await xml('<r><i>1</i><i>2', ['r/i'])).map(({ kind }) => kind)).toEqual(['VALUE', 'TRUNCATED'])
  })

  test('reads the encoding that the document names', async () => {
    const [item] = await xml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r><i>\xe9</i></r>', 'latin1'), [
      'r/i',
    ])

    expect(item).toMatchObject({ element: { text: 'é' } })
  })

  test('does not keep an element of more than 32 MiB', async () => {
    const items = await xml(`<r><i>${'<b>x</b>'.repeat(600_000)}</i><i>1</i></r>`, ['r/i'], 65_536)

    expect(items.map(({ kind }) => kind)).toEqual(['FAULT', 'VALUE'])
  })
})

describe('reading CSV', () => {
  test('gives rows by the names of the header, quoted, with line breaks', async () => {
    expect(await csv('\ufeffa;b\n1;"x;""y""\nz"\n\n2\n')).toEqual([
      { kind: 'ROW', line: 3, row: { a: '1', b: 'x;"y"\nz' } },
      { kind: 'ROW', line: 5, row: { a: '2', b: '' } },
    ])
  })

  test('passes over the rows without a value that spreadsheets write behind the last one', async () => {
    expect(await csv('a,b\n1,2\n,\n , \n')).toEqual([{ kind: 'ROW', line: 2, row: { a: '1', b: '2' } }])
  })

  test('leaves out a row with more values than names', async () => {
    expect((await csv('a,b\n1,2,3\n1,2\n')).map(({ kind }) => kind)).toEqual(['FAULT', 'ROW'])
  })

  test('says that a row was cut by the end of the file, and does not give it', async () => {
    const whole = await csv('a,b,c\n1,2,3\n4,5\n')
    const cut = await csv('a,b,c\n1,2,3\n4,5')

    expect(whole.map(({ kind }) => kind)).toEqual(['ROW', 'ROW'])
    expect(cut.slice(1)).toEqual([{ kind: 'TRUNCATED', reason: 'It ends in the middle of row 3' }])
  })

  test('says that a quote was never closed', async () => {
    expect((await csv('a,b\n1,2\n"3,4\n')).map(({ kind }) => kind)).toEqual(['ROW', 'TRUNCATED'])
  })
})

describe('unpacking', () => {
  const text = JSON.stringify({ a: 'é' })

  test('opens gzip, zip, UTF-16 and a byte order mark, whatever the chunks', async () => {
    const packed = [
      gzipSync(text),
      zipSync({ 'r.json': Buffer.from(text) }),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
      Buffer.from(`\ufeff${text}`),
      gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')),
    ]

    for (const bytes of packed) {
      for (const size of [1, 3, 65_536]) expect(await opened(bytes, size)).toBe(text)
    }
  })

  test('reads bytes that are no UTF-8 as Windows-1252, in a report of its own or beside UTF-8, whatever the chunks', async () => {
    const old = Buffer.from('{"a":"Gr\xfc\xdfe \x80 \x93z\x94 \x81"}', 'latin1')
    const mixed = Buffer.concat([Buffer.from('{"é€𝄞":"'), Buffer.from('caf\xe9\xe2\x82', 'latin1'), Buffer.from('"}')])

    for (const size of [1, 2, 3, 5, 65_536]) {
      expect(await opened(old, size)).toBe('{"a":"Grüße € “z” \ufffd"}')
      expect(await opened(gzipSync(mixed), size)).toBe('{"é€𝄞":"caféâ‚"}')
    }
  })

  test('leaves any text in UTF-8 as it is, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), async (any, size) => {
        // two signs first, as a zero beside the first would say UTF-16
        const whole = `{"${any.toWellFormed()}`
        expect(await opened(Buffer.from(whole), size)).toBe(whole)
      }),
    )
  })

  test('reads CSV and XML that do not say their encoding, and XML that does, in the one that they are in', async () => {
    const source = (bytes: Buffer) => unpacked({ name: 'report', open: chunks(bytes, 3) })
    const names = async (bytes: Buffer) =>
      (await Array.fromAsync(readXml((await source(bytes)).open(), ['r']))).map((item) =>
        item.kind === 'VALUE' ? item.element.text : item,
      )
    const table = await source(Buffer.from('title;path\nCaf\xe9;src/\xfc.c\n', 'latin1'))

    expect(await Array.fromAsync(readCsv(table.open))).toEqual([
      { kind: 'ROW', line: 2, row: { title: 'Café', path: 'src/ü.c' } },
    ])
    expect(await names(Buffer.from('<r>\xe9</r>', 'latin1'))).toEqual(['é'])
    expect(await names(Buffer.from('<?xml version="1.0" encoding="UTF-8"?><r>\xe9</r>', 'latin1'))).toEqual(['é'])
    const cyrillic = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><r>\xe9</r>', 'latin1')
    expect(await names(cyrillic)).toEqual(['й'])
  })

  test('refuses what unpacks to hundreds of times its size', async () => {
    const bomb = Buffer.alloc(64 * 1024 * 1024)

    await expect(opened(gzipSync(bomb))).rejects.toThrow('200 times')
    await expect(opened(zipSync({ a: bomb }))).rejects.toThrow('200 times')
  })

  test('reads every report of a zip, each with its name and its own scope, and tells what is none', async () => {
    const leak = (file: string) => ({
      RuleID: 'key',
      Description: 'A key',
      File: file,
      StartLine: 1,
      Secret: 'a-secret',
      Match: 'a',
    })
    const bytes = zipSync({
      'one/leaks.json': Buffer.from(JSON.stringify([leak('a.js'), leak('b.js')])),
      'README.md': Buffer.from('Read me'),
      'bandit.json': Buffer.from(
        '{"metrics":{"_totals":{"CONFIDENCE.HIGH":1}},"results":[{"test_id":"B1","issue_severity":"LOW","issue_text":"x","filename":"c.py"}]}',
      ),
      'odd.json': Buffer.from('{"odd":1}'),
    })

    const { format, rows } = await readReport({ name: 'all.zip', open: chunks(bytes, 1000) }, null)
    const read = []
    for await (const row of rows) read.push(row)

    expect(format).toBe('bandit + gitleaks')
    expect(read.map((row) => [row.kind, 'at' in row ? row.at : 'scope' in row ? row.scope : ''])).toEqual([
      ['SCOPE', 'one/leaks.json'],
      ['OBSERVATION', 'one/leaks.json: [0]'],
      ['OBSERVATION', 'one/leaks.json: [1]'],
      ['SCOPE', 'README.md'],
      ['PASSED_OVER', 'README.md'],
      ['SCOPE', 'bandit.json'],
      ['OBSERVATION', 'bandit.json: results[0]'],
      ['SCOPE', 'odd.json'],
      ['LEFT_OUT', 'odd.json'],
    ])
  })

  test('refuses a zip whose format is named where one of its reports looks like another and has nothing to say', async () => {
    const bandit = Buffer.from('{"metrics":{"_totals":{"CONFIDENCE.HIGH":1}},"results":[]}')
    const bytes = zipSync({ 'a.json': bandit, 'b.json': Buffer.from('{"odd":1}') })

    const { rows } = await readReport({ name: 'all.zip', open: chunks(bytes, 1000) }, 'bandit')

    await expect(Array.fromAsync(rows)).rejects.toThrow('The report is not Bandit JSON')
  })

  test('tells a zip of which no file is recognised from one that holds a report', async () => {
    const asked = (file: Uint8Array, name: string | null) => {
      const source = { name: 'all.zip', open: chunks(file, 1000) }
      return readReport(source, name).catch((error: unknown) => error)
    }
    const odd = { 'odd.json': Buffer.from('{"odd":1}'), 'README.md': Buffer.from('Read me') }
    const both = Buffer.from('{"metrics":{"_totals":{"CONFIDENCE.HIGH":1}},"results":[]}')

    const [none, known] = [await asked(zipSync(odd), null), await asked(zipSync({ ...odd, 'b.json': both }), null)]

    expect(none).toBeInstanceOf(NotRecognised)
    expect(known).toMatchObject({ format: 'bandit' })
  })

  test('refuses a zip with two reports where one is wanted, with none, or broken', async () => {
    const some = Buffer.from('{}')
    const broken = zipSync({ a: Buffer.from(text.repeat(999)) }).fill(7, 40, 60)

    await expect(opened(zipSync({ a: some, b: some }))).rejects.toThrow('more than one report')
    await expect(opened(zipSync({ '__MACOSX/a': some }))).rejects.toThrow('no report')
    await expect(opened(broken)).rejects.toThrow(ReportFault)
  })

  test('reads a gzip that breaks off as far as it goes', async () => {
    const whole = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, n) => `${n * 7919}`).join(' ')))

    const read = await opened(whole.subarray(0, whole.length / 2))

    expect(read.startsWith('0 7919 ')).toBe(true)
  })

  test('looks at no more than the beginning to tell a format', async () => {
    let given = 0
    const open = async function* () {
      for (;;) {
        given++
        yield Buffer.alloc(40_000, 'x')
      }
    }

    const head = await headOf({ name: 'a', open })

    expect([head.text.length, given]).toEqual([65_536, 2])
  })
})
