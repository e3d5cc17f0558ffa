import styles from './switch.module.css'

/** On or off, at once. `label` names it; where words stand beside it, a `label` element for its `id` lets them be pressed, too. */
export function Switch(props: {
  id?: string
  label: string
  isOn: boolean
  isDisabled?: boolean
  describedBy?: string
  onChange: (isOn: boolean) => void
}) {
  return (
    <button
      id={props.id}
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={props.isOn}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      disabled={props.isDisabled}
      onClick={() => props.onChange(!props.isOn)}
    >
      <span className={styles.track} aria-hidden="true" />
      <span aria-hidden="true">{props.isOn ? 'On' : 'Off'}</span>
    </button>
  )
}
