import { Pill } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import styles from './form.module.css'

/** A chosen value with a button to remove it. `isGone` marks a value that is not offered any more. */
export function RemovablePill(props: {
  label: string
  removeLabel: string
  title?: string | undefined
  isGone?: boolean
  disabled?: boolean
  onRemove: () => void
}) {
  return (
    <Pill
      className={styles.pill}
      title={props.title}
      data-gone={props.isGone || undefined}
      disabled={props.disabled ?? false}
      withRemoveButton
      removeButtonProps={{ 'aria-label': props.removeLabel, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={props.onRemove}
    >
      <bdi>{props.label}</bdi>
    </Pill>
  )
}
