import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

/** A link that looks like a button. */
export const LinkButton = createLink(ButtonAnchor)

/**
 * A button that is unavailable for a `reason`. Unlike a disabled button it can take the focus, so that keyboard and
 * screen reader users learn the reason, too.
 */
export function BlockedButton(props: { reason: string; label?: string; shortcut?: string; children: ReactNode }) {
  return (
    <Tooltip label={props.reason} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      <Button
        variant="default"
        aria-disabled="true"
        data-disabled
        aria-label={props.label}
        aria-keyshortcuts={props.shortcut}
        style={{ cursor: 'not-allowed' }}
        onClick={(click) => click.preventDefault()}
      >
        {props.children}
      </Button>
    </Tooltip>
  )
}

function ButtonAnchor(props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>) {
  return <Button component="a" {...props} />
}
