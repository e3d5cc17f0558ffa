import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './place-trail.module.css'

/** Head of a popup or of the panel: where one is, the way back, and how much is there. */
export function PlaceTrail(props: {
  title: string
  note?: string | undefined
  back?: { to: string; onClick: () => void } | undefined
  onClose?: (() => void) | undefined
}) {
  const { title, note, back, onClose } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const wasAt = useRef(title)
  // Whoever went on with the keyboard goes on from here: what they pressed is gone.
  useEffect(() => {
    if (wasAt.current !== title) heading.current?.focus({ preventScroll: true })
    wasAt.current = title
  }, [title])
  return (
    <div className={styles.head}>
      {back !== undefined && (
        <IconButton label={`Back to ${back.to}`} onClick={back.onClick}>
          <Chevron to="left" size={16} />
        </IconButton>
      )}
      <div className={styles.words}>
        <h2 ref={heading} tabIndex={-1} className={styles.title} title={title}>
          {title}
        </h2>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {onClose !== undefined && (
        <IconButton label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.8} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
