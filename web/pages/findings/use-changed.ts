// Which findings of the list are chosen, and what happens to them, to the list and to the panel once findings have changed or are gone.

import { useState } from 'react'
import type { Chosen } from '../../table/column.ts'

type Around = {
  /** Reloads the list. */
  again: () => Promise<void>
  /** The finding that the panel shows. */
  openId: string | undefined
  closePanel: () => void
  closeDialog: () => void
}

export function useChanged({ again, openId, closePanel, closeDialog }: Around) {
  const [chosen, setChosen] = useState<Chosen>({})
  const [decided, setDecided] = useState(0)
  const changed = () => {
    setDecided((before) => before + 1)
    void again()
  }
  const changedChosen = () => {
    closeDialog()
    setChosen({})
    changed()
  }
  const gone = (ids: readonly string[]) => {
    setChosen((before) => Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id))))
    if (openId !== undefined && ids.includes(openId)) closePanel()
    void again()
  }
  return { chosen, setChosen, chosenIds: Object.keys(chosen), decided, changed, changedChosen, gone }
}
