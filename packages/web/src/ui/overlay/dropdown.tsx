import { Button } from '@mantine/core'
import { lazy, type ReactNode, useRef, useState } from 'react'
import { LazyPart } from '../layout/lazy-part.tsx'
import styles from './dropdown.module.css'

const loadFrame = () => import('./dropdown-frame.tsx')
const DropdownFrame = lazy(() => loadFrame().then((file) => ({ default: file.DropdownFrame })))

/**
 * A button that opens a panel below it. Nothing of the panel is loaded before the pointer or the focus comes to the
 * button: what places a floating panel is 27 kB, which no first paint of a list needs.
 */
export function Dropdown(props: {
  /** Name of the panel. */
  title: string
  /** What the button is called where its face says less. */
  label?: string
  icon?: ReactNode
  /** After the face: a count, an arrow. */
  mark?: ReactNode
  children: ReactNode
  /** Told by the pointer resting on the button. */
  tooltip?: string | undefined
  /** The key that presses the button, where the screen has one. */
  shortcut?: string
  /** Which edge of the button the panel keeps to. */
  align?: 'start' | 'end'
  /** Of the panel, in pixels; else as wide as its content. */
  width?: number
  className?: string | undefined
  /** On a phone its icon alone is seen; the face is read out. */
  isSignOnPhone?: boolean
  /** Loads what `panel` draws, ahead of the click. */
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
        className={[styles.button, props.isSignOnPhone && styles.sign, props.className].filter(Boolean).join(' ')}
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
        // Shown as a whole: a frame without its panel would have nothing to give the focus to.
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
