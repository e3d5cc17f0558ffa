import { Popover } from '@mantine/core'
import { type ReactNode, type Ref, useImperativeHandle } from 'react'
import styles from './dropdown.module.css'

/** What floats below the button of a dropdown: loaded when it is first wanted. Escape and a click elsewhere close it. */
export function DropdownFrame(props: {
  anchor: HTMLElement
  title: string
  align: 'start' | 'end'
  width: number | undefined
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && props.onClose()}
      position={`bottom-${props.align}`}
      width={props.width ?? 'max-content'}
      trapFocus
      // The button says itself what it opens.
      withRoles={false}
    >
      <Popover.Target>
        <Anchor element={props.anchor} />
      </Popover.Target>
      <Popover.Dropdown className={styles.frame} role="dialog" aria-label={props.title} tabIndex={-1}>
        {props.children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Stands for the button, which is on the screen already: drawn anew by the popover it would lose the focus. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
