// A button, and a link that looks like one; a button that cannot be used says why instead of vanishing.

import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './button.module.css'

type Look = { tone?: 'plain' | 'main' | 'quiet' | 'danger'; size?: 'small' | 'usual' }

const look = ({ tone = 'plain', size = 'usual' }: Look) => `${styles.button} ${styles[tone]} ${styles[size]}`

export type ButtonProps = Look &
  Omit<ComponentProps<'button'>, 'disabled' | 'className'> & {
    /** Why it cannot be used now; it stays reachable, so that the reason can be found. */
    disabledReason?: string | undefined
    /** What it does, with its key, shown on hover. */
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

/** To an address that is not the console's, or where the console's pages are not shown yet. */
export function ButtonAnchor({ tone, size, children, ...rest }: Look & Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={look({ tone, size })}>
      {children}
    </a>
  )
}

/** A button that is an icon: its name is for those who do not see it, and for everyone on hover. */
export function IconButton({ name, ...rest }: Omit<ButtonProps, 'hint'> & { name: string }) {
  return <Button tone="quiet" {...rest} aria-label={name} hint={name} />
}
