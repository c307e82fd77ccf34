// The theme, light or dark: the system's unless the user has chosen one.

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

/** Runs before the first render, so that the page never flashes in another theme. */
export function applyTheme(): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    window.localStorage.setItem(NAME, theme)
  } catch {
    // Without storage, the choice lasts until the page is closed.
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
