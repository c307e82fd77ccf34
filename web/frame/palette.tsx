// The command palette (Ctrl+K or ⌘K): it opens pages, finds assets and findings by name, and runs the actions of the current page.

import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Command, useCommands } from './commands.ts'
import styles from './palette.module.css'

export default function Palette({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const { commands, known, isSettled, failure } = useCommands(companyId, typed)
  const active = Math.min(at, commands.length - 1)
  const take = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  // Enter pressed before the results are here takes effect once they are, rather than on the results for fewer letters
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (!isAwaited || !isSettled) return
    setAwaited(false)
    take(commands[active])
  })
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setAt((active + by + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter' && (isSettled || (active >= 0 && active < known))) take(commands[active])
    else if (event.key === 'Enter') setAwaited(true)
    else return
    event.preventDefault()
  }
  const none = isSettled && commands.length === 0 ? 'No results.' : ''
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.palette} data-modal="" aria-label="Search or run a command">
          <input
            className={styles.input}
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
            aria-label="Search or run a command"
            placeholder="Search or run a command…"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
              setAwaited(false)
            }}
            onKeyDown={press}
          />
          <Options id={id} commands={commands} active={active} onPoint={setAt} onTake={take} />
          <p className={styles.none} role="status">
            {failure ? failure.message : none}
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

type OptionsProps = {
  id: string
  commands: readonly Command[]
  active: number
  onPoint: (index: number) => void
  onTake: (command: Command) => void
}

function Options({ id, commands, active, onPoint, onTake }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} role="listbox" aria-label="Results" className={styles.list}>
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
        <div
          key={`${command.group} ${command.key}`}
          id={`${id}-${index}`}
          data-at={index}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles.option}
          onPointerMove={() => onPoint(index)}
          onClick={() => onTake(command)}
        >
          <span className={styles.group}>{command.group}</span>
          <span className="cut">{command.name}</span>
          {command.beside && <span className="muted cut">{command.beside}</span>}
        </div>
      ))}
    </div>
  )
}
