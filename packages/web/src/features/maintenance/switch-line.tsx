import { useId } from 'react'
import { Switch } from '../../ui/form/switch.tsx'
import styles from './maintenance-fields.module.css'

/** A switch with its label and a hint for its current state. The whole line can be pressed. */
export function SwitchLine(props: { label: string; isOn: boolean; hint: string; onChange: (isOn: boolean) => void }) {
  const [switchId, hintId] = [useId(), useId()]
  return (
    <label className={styles.line} htmlFor={switchId}>
      <span>
        <span className={styles.name}>{props.label}</span>
        <span id={hintId} className={styles.hint}>
          {props.hint}
        </span>
      </span>
      <Switch id={switchId} label={props.label} isOn={props.isOn} describedBy={hintId} onChange={props.onChange} />
    </label>
  )
}
