import type { Generated } from 'kysely'
import type { Settlement } from '#domain/delivery/delivery.ts'

/** As 0015 and every release since has stored a `HoldKind`. */
export type StoredHoldKind = 'pause' | 'outage' | 'refusal'

/** What the console shows of deliveries in the past: nothing is delivered by it. */
export interface DeliveryHistoryTables {
  /** A while in which the breaker was open. */
  delivery_holds: {
    id: string
    /** `refusal`: a `HoldKind` that is `refused`. */
    kind: StoredHoldKind
    /** The operator's words; of a trip what the distributor said last. */
    reason: string
    /** Epoch milliseconds; of a trip when the first attempt that failed began. */
    began_at: number
    /** Since when it held deliveries back; null where a version before 0021 has written it. */
    noticed_at: Generated<number | null>
    /** Null while it lasts, and where nobody noted its end. */
    ended_at: number | null
    /** 1 while it lasts. */
    is_open: number
    /** An operator's id, or the system's name for its user; neither where nobody did. */
    begun_by_operator: string | null
    begun_by_user: string | null
    ended_by_operator: string | null
    ended_by_user: string | null
    /** The words of the operator who ended it. */
    end_reason: string | null
  }
  /** How a delivery had ended before it was owed again, one row a retry. */
  delivery_endings: {
    delivery_id: string
    settled_as: Settlement
    /** Epoch milliseconds. */
    settled_at: number
    /** 1 where an operator had settled it. */
    is_by_hand: number
    owed_again_at: number
  }
  /** What came of the attempts of five minutes. */
  delivery_rollups: {
    /** Epoch milliseconds: five minutes from then on. */
    from_at: number
    delivered: number
    rejected: number
    failed: number
    /** JSON of a `Histogram`, of milliseconds: from received to delivered, and of each call. */
    waits: string
    calls: string
    /** As its five minutes ended: how many deliveries waited, and since when the oldest; null where nobody counted then. */
    waiting: number | null
    oldest_at: number | null
  }
}
