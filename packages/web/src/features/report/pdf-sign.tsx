import { Path, Svg } from '@react-pdf/renderer'
import type { ComponentProps } from 'react'
import { paper, type Sign } from './paper.ts'

/** Colour and shape; the word stands beside it. */
export function PdfSign(props: { sign: Sign; style: NonNullable<ComponentProps<typeof Svg>['style']> }) {
  const { colour, shape, isHollow } = props.sign
  return (
    <Svg viewBox="0 0 12 12" style={props.style}>
      <Path d={shape} fill={isHollow ? paper.sheet : colour} stroke={colour} strokeWidth={isHollow ? 1.6 : 0} />
    </Svg>
  )
}
