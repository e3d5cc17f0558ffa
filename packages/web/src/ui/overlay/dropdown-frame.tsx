import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dropdown.module.css'
import { PopoverAnchor, useEarlyEscape } from './popover-anchor.tsx'

/** The floating panel of a dropdown, loaded on first use. Escape and a click outside close it. */
export function DropdownFrame(props: {
  anchor: HTMLElement
  title: string
  align: 'start' | 'end'
  width: number | undefined
  onClose: () => void
  children: ReactNode
}) {
  useEarlyEscape(props.onClose)

  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && props.onClose()}
      position={`bottom-${props.align}`}
      width={props.width ?? 'max-content'}
      trapFocus
      // The button itself has the ARIA attributes.
      withRoles={false}
    >
      <Popover.Target>
        <PopoverAnchor element={props.anchor} />
      </Popover.Target>
      <Popover.Dropdown className={styles.frame} role="dialog" aria-label={props.title} tabIndex={-1}>
        {props.children}
      </Popover.Dropdown>
    </Popover>
  )
}
