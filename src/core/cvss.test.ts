// Vectors give the scores that the standard's own examples give.

import { describe, expect, test } from 'vitest'
import { scoreOfVector } from './cvss.ts'

describe('the score of a vector', () => {
  test.each([
    // CVSS v3.1 Examples, FIRST: MySQL, SSLv3 POODLE, VMware guest to host, Tomcat, OpenSSL Heartbleed
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
    ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
    ['CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    // CVSS v4.0 Examples, FIRST: OpenSSL Heartbleed, Log4Shell, NTLM relay
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
    // CVSS v4.0, section 2.5: supplemental metrics change no score
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/S:P/AU:Y/R:I/V:C/RE:H/U:Red', 9.3],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/U:Clear', 9.3],
    // CVSS v2 Guide, section 3.3: CVE-2002-0392, CVE-2003-0062
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['(AV:L/AC:H/Au:N/C:C/I:C/A:C)', 6.2],
  ])('of %s is %d', (vector, score) => {
    expect(scoreOfVector(vector)).toBe(score)
  })

  test('counts what is known of exploits and surroundings', () => {
    const base = scoreOfVector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H')
    const unproven = scoreOfVector('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U')
    const unreported = scoreOfVector('CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U')

    expect([base, unproven, unreported]).toEqual([9.8, 9, 8.1])
  })

  test.each([
    ['', 'nothing'],
    ['high', 'a word'],
    ['CVSS:3.1/AV:N/AC:L', 'a part of one'],
    ['CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'one without a base metric'],
    ['CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'one that names a metric twice'],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/ZZ:U', 'one with a metric that is none'],
    ['CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'one of a version that is none'],
  ])('of %j is none: %s', (vector) => {
    expect(scoreOfVector(vector)).toBeNull()
  })
})
