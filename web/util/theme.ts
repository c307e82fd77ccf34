// Light or dark: by system unless somebody chose.

import { useSyncExternalStore } from 'react'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const NAME = 'merlon.theme'
const listeners = new Set<() => void>()

function read(): Theme {
  try {
    return themes.find((theme) => theme === window.localStorage.getItem(NAME)) ?? 'system'
  } catch {
    return 'system'
  }
}

let chosen = read()

/** Before anything is shown, so that nothing is shown in another theme first. */
export function applyTheme(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    window.localStorage.setItem(NAME, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  applyTheme()
  for (const listener of listeners) listener()
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => chosen,
  )
