import styles from './switch.module.css'

/** A switch with immediate effect. `label` names it; visible text next to it can be a `label` element for its `id`. */
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
