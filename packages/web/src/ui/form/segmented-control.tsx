import { SegmentedControl as MantineSegmentedControl } from '@mantine/core'

/** Switches between a few visible views. `label` names the group for screen readers. */
export function SegmentedControl<T extends string>(props: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  return (
    <MantineSegmentedControl
      aria-label={props.label}
      value={props.value}
      data={props.options.map(({ value, label }) => ({ value, label }))}
      onChange={(value) => {
        const option = props.options.find((known) => known.value === value)
        if (option !== undefined) props.onChange(option.value)
      }}
    />
  )
}
