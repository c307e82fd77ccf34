// Copies a text to the clipboard, and confirms it with a toast.

import { say } from '../frame/toasts.tsx'

/** Throws if the browser refuses, or has no clipboard for this page; `instead` says what the user can do then. */
export async function putOnClipboard(text: string, what: string, instead: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser blocked copying; ${instead}.`)
  }
  say(`Copied ${what}.`)
}
