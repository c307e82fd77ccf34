// Puts a text on the clipboard, and says so.

import { say } from '../frame/toasts.tsx'

/** Throws where the browser refuses, or has no clipboard for the page; `instead` is what can be done then. */
export async function putOnClipboard(text: string, what: string, instead: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser does not let this page copy; ${instead}.`)
  }
  say(`Copied ${what}.`)
}
