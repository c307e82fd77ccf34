// A button, and a link styled as one; a button that cannot be used says why instead of vanishing.

import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'

type Look = { tone?: 'plain' | 'main' | 'quiet' | 'danger'; size?: 'small' | 'usual' }

const look = ({ tone = 'plain', size = 'usual' }: Look) => `${styles.button} ${styles[tone]} ${styles[size]}`

export type ButtonProps = Look &
  Omit<ComponentProps<'button'>, 'disabled' | 'className'> & {
    /** Why the button cannot be used now. It stays focusable, so that the reason can be read. */
    disabledReason?: string | undefined
    /** What the button does and its key, shown on hover. */
    hint?: ReactNode
    isRunning?: boolean
  }

export function Button({ tone, size, disabledReason, hint, isRunning = false, onClick, ...rest }: ButtonProps) {
  const isDisabled = disabledReason !== undefined || isRunning
  const button = (
    <button
      type="button"
      {...rest}
      className={look({ tone, size })}
      aria-disabled={isDisabled || undefined}
      aria-busy={isRunning || rest['aria-busy']}
      aria-description={disabledReason}
      onClick={isDisabled ? (event) => event.preventDefault() : onClick}
    />
  )
  const told = disabledReason ?? hint
  return told === undefined ? button : <Hint text={told}>{button}</Hint>
}

export function Hint({
  text,
  children,
}: {
  text: ReactNode
  children: ComponentProps<typeof Tooltip.Trigger>['render']
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} delay={350} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className={styles.place}>
          <Tooltip.Popup className={styles.hint}>{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

export function ButtonLink({ tone, size, ...rest }: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...rest} className={look({ tone, size })} />
}

/** A link outside the console's routes, or from where the console's pages are not shown yet. */
export function ButtonAnchor({ tone, size, children, ...rest }: Look & Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={look({ tone, size })}>
      {children}
    </a>
  )
}

/** A button with only an icon: its name is its label for assistive technology, and its hint for everyone else. */
export function IconButton({ name, ...rest }: Omit<ButtonProps, 'hint'> & { name: string }) {
  return <Button tone="quiet" {...rest} aria-label={name} hint={name} />
}
