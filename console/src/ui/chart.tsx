import { type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { scaleOf } from './scale.ts'

export type ChartPoint = {
  /** Full label, for the selected point. */
  readonly label: string
  /** Short label, for the axis. */
  readonly tick: string
  readonly values: readonly number[]
}
export type Series = { readonly name: string; readonly tone: 'accent' | 'quiet' }

type ChartProps = {
  readonly kind: 'bars' | 'area'
  readonly series: readonly Series[]
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
  readonly short: (value: number) => string
  readonly height?: number
  /** A sentence for screen readers. */
  readonly label: string
}

const fills = { accent: 'fill-accent', quiet: 'fill-faint' } as const
const strokes = { accent: 'stroke-accent', quiet: 'stroke-faint' } as const
const dots = { accent: 'bg-accent', quiet: 'bg-faint' } as const
const around = { right: 8, top: 10, bottom: 22 }
const leastLeft = 44
/** Width of the widest digit in Inter at 11 px, and the gap between labels and axis. */
const figureWide = 7
const beside = 12
/** Room for the longest label: German writes 60.000 where English has 60K. */
const roomFor = (marks: readonly string[]): number =>
  Math.max(leastLeft, beside + figureWide * Math.max(...marks.map((mark) => mark.length)))

/** Bars or a line over time. The value under the pointer is shown above the chart. */
export function Chart({ kind, series, points, format, short, height = 190, label }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [at, setAt] = useState<number | undefined>()
  const shown = points[at ?? points.length - 1]
  const scale = useMemo(() => scaleOf(points.flatMap((one) => one.values)), [points])
  const marks = scale.marks.map(short)
  const side = { ...around, left: roomFor(marks) }
  const plot = { width: Math.max(0, width - side.left - side.right), height: height - side.top - side.bottom }
  const step = plot.width / Math.max(1, points.length)
  const find = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - side.left
    setAt(Math.min(points.length - 1, Math.max(0, Math.floor(x / step))))
  }
  const y = (value: number) => side.top + plot.height * (1 - value / scale.top)
  const x = (index: number) => side.left + step * (index + 0.5)
  return (
    <figure className="min-w-0">
      <Legend series={series} shown={shown} format={format} />
      <div ref={box} className="w-full">
        <svg
          role="img"
          aria-label={label}
          width="100%"
          height={height}
          onPointerMove={find}
          onPointerLeave={() => setAt(undefined)}
        >
          <Grid
            marks={scale.marks.map((value, nth) => ({ y: y(value), text: marks[nth] ?? '' }))}
            left={side.left}
            right={width - side.right}
          />
          <Ticks points={points} x={x} y={height - 6} room={plot.width} />
          {at !== undefined && (
            <rect
              x={side.left + step * at}
              y={side.top}
              width={step}
              height={plot.height}
              className="fill-sunken"
            />
          )}
          {width > 0 &&
            (kind === 'bars' ? (
              <Bars points={points} series={series} place={{ x, y, step }} />
            ) : (
              <Area points={points} series={series} place={{ x, y, step }} />
            ))}
        </svg>
      </div>
    </figure>
  )
}

function useWidth(box: { readonly current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return width
}

type LegendProps = Pick<ChartProps, 'series' | 'format'> & { readonly shown: ChartPoint | undefined }

function Legend({ series, shown, format }: LegendProps) {
  return (
    <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
      {series.map((one, index) => (
        <span key={one.name} className="inline-flex items-baseline gap-1.5">
          <span aria-hidden="true" className={`size-2 self-center rounded-sm ${dots[one.tone]}`} />
          <span className="text-muted">{one.name}</span>
          <span className="figures font-medium">{format(shown?.values[index] ?? 0)}</span>
        </span>
      ))}
      <span className="ml-auto text-muted">{shown?.label}</span>
    </figcaption>
  )
}

type GridProps = {
  readonly marks: readonly { y: number; text: string }[]
  readonly left: number
  readonly right: number
}

function Grid({ marks, left, right }: GridProps) {
  return marks.map(({ y, text }) => (
    <g key={y}>
      <line x1={left} x2={Math.max(left, right)} y1={y} y2={y} className="stroke-line" />
      <text x={left - 8} y={y + 4} textAnchor="end" className="figures fill-muted text-[11px]">
        {text}
      </text>
    </g>
  ))
}

/** Two points can have the same label: within a minute, or when clocks go back. */
const keyOf = ({ label }: ChartPoint, index: number): string => `${index} ${label}`

type TicksProps = {
  readonly points: readonly ChartPoint[]
  readonly x: (index: number) => number
  readonly y: number
  readonly room: number
}

function Ticks({ points, x, y, room }: TicksProps): ReactNode {
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor(room / 72))))
  return points.map((point, index) =>
    (points.length - 1 - index) % every === 0 && room > 0 ? (
      <text
        key={keyOf(point, index)}
        x={index === points.length - 1 ? x(index) + 10 : x(index)}
        y={y}
        textAnchor={index === points.length - 1 ? 'end' : 'middle'}
        className="fill-muted text-[11px]"
      >
        {point.tick}
      </text>
    ) : null,
  )
}

type Drawn = Pick<ChartProps, 'points' | 'series'> & {
  readonly place: {
    readonly x: (index: number) => number
    readonly y: (value: number) => number
    readonly step: number
  }
}

function Bars({ points, series, place: { x, y, step } }: Drawn): ReactNode {
  const wide = Math.max(1, Math.min(26, step * 0.7) / series.length)
  const gap = wide > 4 ? 1 : 0
  return points.flatMap((point, index) =>
    series.map((one, nth) => {
      const value = point.values[nth] ?? 0
      const left = x(index) - (wide * series.length) / 2 + wide * nth
      const high = Math.max(value > 0 ? 1.5 : 0, y(0) - y(value))
      return (
        <rect
          key={`${keyOf(point, index)}-${one.name}`}
          x={left}
          y={y(0) - high}
          width={wide - gap}
          height={high}
          rx={Math.min(2, wide / 4)}
          className={fills[one.tone]}
        />
      )
    }),
  )
}

function Area({ points, series, place: { x, y } }: Drawn): ReactNode {
  const id = useId()
  return series.map((one, nth) => {
    const line = points
      .map(
        (point, index) =>
          `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(point.values[nth] ?? 0).toFixed(1)}`,
      )
      .join('')
    return (
      <g key={one.name}>
        <linearGradient id={`${id}-${nth}`} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" className="[stop-color:var(--color-accent)] [stop-opacity:0.18]" />
          <stop offset="1" className="[stop-color:var(--color-accent)] [stop-opacity:0]" />
        </linearGradient>
        <path d={`${line}L${x(points.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`} fill={`url(#${id}-${nth})`} />
        <path d={line} fill="none" strokeWidth="1.75" strokeLinejoin="round" className={strokes[one.tone]} />
      </g>
    )
  })
}
