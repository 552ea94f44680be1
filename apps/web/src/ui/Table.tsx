import type { ReactNode } from 'react'
import styles from './Table.module.css'

/** A column: its heading, and the cell of a row. Figures stand at the end of their cells. */
export type Column<Row> = {
  heading: string
  /** For figures: right-aligned. */
  figure?: boolean
  /** Heading unseen, for a column of buttons. */
  silent?: boolean
  /** Left out where there is room for a few columns alone. */
  extra?: boolean
  cell: (row: Row) => ReactNode
}

/**
 * A table that leaves out its extra columns where there is little room, and becomes a list of cards, each value beneath its
 * heading, where there is none: there all columns stand.
 */
export function Table<Row>(props: {
  /** For screen readers: what the table is of. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Marks a row, for instance the best. */
  marked?: (row: Row) => boolean
  /** Greys a row, for instance one that cannot be used. */
  faded?: (row: Row) => boolean
}) {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className="unseen">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map(({ heading, silent, ...look }) => (
              <th key={heading} scope="col" className={classOf(look)}>
                {silent ? <span className="unseen">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr
              key={props.keyOf(row)}
              className={[props.marked?.(row) && styles['marked'], props.faded?.(row) && styles['faded']]
                .filter(Boolean)
                .join(' ')}
            >
              {props.columns.map(({ heading, silent, cell, ...look }) => (
                <td key={heading} data-heading={silent ? undefined : heading} className={classOf(look)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf({ figure, extra }: { figure?: boolean; extra?: boolean }): string | undefined {
  return [figure && styles['figure'], extra && styles['extra']].filter(Boolean).join(' ') || undefined
}
