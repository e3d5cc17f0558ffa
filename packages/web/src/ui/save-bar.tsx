import { Button } from '@mantine/core'
import styles from './save-bar.module.css'

/** The end of a form: what is unsaved, and the two ways on. Stays in sight while the form is longer than the screen. */
export function SaveBar(props: {
  label: string
  isChanged: boolean
  isPending: boolean
  onDiscard: () => void
  discardLabel?: string
  /** Discarding leads off the screen; that is possible without changes, too. */
  isWayOut?: boolean
  /** Below several cards instead of at the end of one. */
  isApart?: boolean
}) {
  const canDiscard = props.isChanged || props.isWayOut === true
  return (
    <div className={styles.bar} data-apart={props.isApart || undefined} data-idle={!canDiscard || undefined}>
      <span className={styles.state} role="status">
        {props.isChanged ? 'Unsaved changes' : ''}
      </span>
      <Button variant="default" disabled={!canDiscard || props.isPending} onClick={props.onDiscard}>
        {props.discardLabel ?? 'Discard'}
      </Button>
      <Button type="submit" disabled={!props.isChanged} loading={props.isPending}>
        {props.label}
      </Button>
    </div>
  )
}
