import { Button, Text } from '@mantine/core'
import { lazy, type ReactNode, useRef, useState } from 'react'
import { LazyPart } from '../layout/lazy-part.tsx'
import styles from './dropdown.module.css'

const loadFrame = () => import('./dropdown-frame.tsx')
const DropdownFrame = lazy(() => loadFrame().then((file) => ({ default: file.DropdownFrame })))

/**
 * A button that opens a panel below it. Its code loads when the pointer or focus reaches the button: positioning a
 * floating panel is 27 kB, which no first paint of a list needs.
 */
export function Dropdown(props: {
  /** Name of the panel. */
  title: string
  /** Accessible name of the button, if its content says less. */
  label?: string
  icon?: ReactNode
  /** Shown after the content: a count, an arrow. */
  mark?: ReactNode
  children: ReactNode
  /** Shown on hover of the button. */
  tooltip?: string | undefined
  /** Keyboard shortcut of the button, if the screen has one. */
  shortcut?: string
  /** Edge of the button with which the panel aligns. */
  align?: 'start' | 'end'
  /** Width of the panel in pixels; by default that of its content. */
  width?: number
  className?: string | undefined
  /** On a phone only the icon is visible; screen readers read the rest. */
  isIconOnPhone?: boolean
  /** Loads the code of `panel` before the click. */
  preload?: () => unknown
  panel: (close: () => void) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  function preload() {
    void loadFrame()
    props.preload?.()
  }

  return (
    <>
      <Button
        ref={button}
        variant="default"
        className={[styles.button, props.isIconOnPhone && styles.icon, props.className].filter(Boolean).join(' ')}
        title={props.tooltip}
        leftSection={props.icon}
        rightSection={props.mark}
        aria-label={props.label}
        aria-keyshortcuts={props.shortcut}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
        onPointerEnter={preload}
        onFocus={preload}
      >
        {props.children}
      </Button>
      {isOpen && button.current !== null && (
        // Loaded before the frame opens, which otherwise would have nothing to focus.
        <LazyPart
          onFailure={close}
          fallback={
            <span className={styles.loading} role="status" aria-label={`Loading ${props.title.toLowerCase()}`} />
          }
        >
          <DropdownFrame
            anchor={button.current}
            title={props.title}
            align={props.align ?? 'start'}
            width={props.width}
            onClose={close}
          >
            {props.panel(close)}
          </DropdownFrame>
        </LazyPart>
      )}
    </>
  )
}

/** Stands in a panel for what is still loading, about as high. */
export function PanelLoading({ height }: { height: number }) {
  return (
    <Text mih={height} c="dimmed" role="status">
      Loading…
    </Text>
  )
}
