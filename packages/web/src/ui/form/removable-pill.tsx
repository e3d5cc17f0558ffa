import { Pill, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import styles from './form.module.css'

/** A chosen value with a button to remove it. A `note` says why it is not offered any more. */
export function RemovablePill(props: {
  label: string
  removeLabel: string
  title?: string | undefined
  note?: string | undefined
  disabled?: boolean
  onRemove: () => void
}) {
  return (
    <Pill
      className={styles.pill}
      title={props.title}
      data-gone={props.note !== undefined || undefined}
      disabled={props.disabled ?? false}
      withRemoveButton
      removeButtonProps={{ 'aria-label': props.removeLabel, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={props.onRemove}
    >
      <bdi>{props.label}</bdi>
      {props.note !== undefined && <VisuallyHidden> {props.note}</VisuallyHidden>}
    </Pill>
  )
}
