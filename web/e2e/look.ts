// What a page is made of, to tell whether something that somebody wrote has become a part of it.

import type { Page } from 'playwright-core'

/** The kinds of elements and attributes on a page, and anything that would execute or, when clicked, leave the console. */
const LOOK = `(() => {
  const kinds = new Set(), runs = []
  for (const element of document.querySelectorAll('body *')) {
    kinds.add(element.localName)
    for (const { name, value } of element.attributes) {
      // The console's own data attributes come and go with its answers, and execute nothing.
      if (!name.startsWith('data-')) kinds.add('@' + name)
      const isAddress = ['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'srcdoc', 'poster'].includes(name)
      if (isAddress && !['http:', 'https:'].includes(new URL(value, location.href).protocol)) runs.push(name + '=' + value)
      if (name.startsWith('on')) runs.push(name)
    }
  }
  return { kinds: [...kinds], runs, violations: window.violations }
})()`

export type Look = { kinds: string[]; runs: string[]; violations: string[] }

/** To be called once noteViolations has been, and the page was loaded. */
export const lookAt = (page: Page): Promise<Look> => page.evaluate<Look>(LOOK)

const noting = `window.violations = []
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => window.violations.push(violatedDirective + ' ' + blockedURI))`

/** Has every document that is loaded from now on keep its violations of the content security policy. */
export const noteViolations = (page: Page): Promise<unknown> => page.addInitScript(noting)
