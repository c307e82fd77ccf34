// What is at fault by itself, without data from outside: how settings may be written, in pairs that differ by one thing.

import { expect, test } from 'vitest'
import { readPieces } from './pieces.ts'

const pairs: { title: string; language: string; faulty: string; sound: string }[] = [
  {
    title: 'an annotation is read with what it is given, also by the name of a constant',
    language: 'Java',
    faulty: `@CrossOrigin(origins = Prices.ANY)
class Prices { static final String ANY = "*"; }`,
    sound: `@CrossOrigin(origins = Prices.ONE)
class Prices { static final String ONE = "https://app.example.com"; }`,
  },
  {
    title: 'an argument with a name is as an entry of a map',
    language: 'Python',
    faulty: `open_store(user, password='azurite77')`,
    sound: `open_store(user, password=read('password'))`,
  },
  {
    title: 'flags that are set together are each looked at',
    language: 'PHP',
    faulty: `<?php $x = simplexml_load_string($text, 'SimpleXMLElement', LIBXML_NOBLANKS | LIBXML_NOENT);`,
    sound: `<?php $x = simplexml_load_string($text, 'SimpleXMLElement', LIBXML_NOBLANKS | LIBXML_NONET);`,
  },
  {
    title: 'a mode made of named bits is a number',
    language: 'Python',
    faulty: `os.chmod(path, stat.S_IRUSR | stat.S_IRWXO)`,
    sound: `os.chmod(path, stat.S_IRUSR | stat.S_IRGRP)`,
  },
  {
    title: 'a number that begins with a zero is octal',
    language: 'Python',
    faulty: `os.chmod(path, 0777)`,
    sound: `os.chmod(path, 0770)`,
  },
  {
    title: 'one of several arguments is enough',
    language: 'Java',
    faulty: `void f(CorsRegistration r) { r.allowedOrigins("https://app.example.com", "*"); }`,
    sound: `void f(CorsRegistration r) { r.allowedOrigins("https://app.example.com", "https://other.example.com"); }`,
  },
  {
    title: 'a list is looked into, whatever function made it',
    language: 'Java',
    faulty: `void f(CorsConfiguration c) { c.setAllowedOrigins(Arrays.asList("*")); }`,
    sound: `void f(CorsConfiguration c) { c.setAllowedOrigins(Arrays.asList("https://app.example.com")); }`,
  },
  {
    title: 'what only says something does nothing',
    language: 'Java',
    faulty: `class T implements X509TrustManager {
  public void checkServerTrusted(X509Certificate[] chain, String type) { log.warn("not checked"); }
}`,
    sound: `class T implements X509TrustManager {
  public void checkServerTrusted(X509Certificate[] chain, String type) { log.warn("checked"); inner.check(chain); }
}`,
  },
  {
    title: 'an object made in the place of an argument has what its constructor was given alone',
    language: 'Java',
    faulty: `void f(HttpServletResponse response) { response.addCookie(new Cookie("session", id)); }`,
    sound: `void f(HttpServletResponse response, Cookie kept) { response.addCookie(kept); }`,
  },
  {
    title: 'a field that may change does not say which branch is read',
    language: 'Java',
    faulty: `class Kept { static boolean quick = false; }
class A { void f(HttpServletRequest request) throws Exception {
  if (Kept.quick) Runtime.getRuntime().exec(request.getParameter("q"));
} }`,
    sound: `class Kept { static final boolean QUICK = false; }
class A { void f(HttpServletRequest request) throws Exception {
  if (Kept.QUICK) Runtime.getRuntime().exec(request.getParameter("q"));
} }`,
  },
]

const rulesOf = (language: string, code: string) =>
  (readPieces(language, [{ first: 1, lines: code.split('\n') }], () => true) ?? []).map(({ rule }) => rule.id)

const kept: { title: string; language: string; code: string }[] = [
  {
    title: 'bits that are taken away are not given',
    language: 'Python',
    code: `os.chmod(path, 0o777 & ~0o022)`,
  },
  {
    title: 'bits that are taken away are not given',
    language: 'PHP',
    code: `<?php chmod($path, 0666 & ~0022);`,
  },
  {
    title: 'bits that are taken away are not given',
    language: 'Go',
    code: `func f(p string) { os.Chmod(p, 0777 &^ 0022) }`,
  },
]

test.each(kept)('$title in $language', ({ language, code }) => expect(rulesOf(language, code)).toEqual([]))

test.each(pairs)('$title', ({ language, faulty, sound }) => {
  expect(rulesOf(language, faulty)).toHaveLength(1)
  expect(rulesOf(language, sound)).toEqual([])
})

test('A function at fault is told at its name, not at the annotations before it', () => {
  const lines = [
    'class Any implements HostnameVerifier {',
    '  @Override',
    '  @Deprecated',
    '  public boolean verify(String host, SSLSession session) {',
    '    return true;',
    '  }',
    '}',
  ]

  const risks = readPieces('Java', [{ first: 1, lines }], () => true) ?? []

  expect(risks.map(({ rule, line }) => [rule.id, line])).toEqual([['java/certificate-check-off', 4]])
})

test('Half an annotation at the end of a piece, or one that is given nonsense, is passed over', () => {
  for (const code of [
    '@CrossOrigin(',
    '@CrossOrigin(origins = ',
    '@(',
    '@CrossOrigin(@CrossOrigin(@A(1)))\nclass A {}',
  ])
    expect(() => rulesOf('Java', code)).not.toThrow()
})
