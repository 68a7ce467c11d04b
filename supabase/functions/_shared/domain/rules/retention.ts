/**
 * How long what is kept (specification, section 9): the privacy page says these figures, the jobs of the
 * database keep them (`sweep_customers`, `sweep_account_events`, `sweep_audit_events`).
 */

/** Years after the last contact until a customer is forgotten. */
export const CUSTOMER_RETENTION_YEARS = 3;

/** Months until a log or an audit trail goes. */
export const LOG_RETENTION_MONTHS = 13;

/** Years that the law keeps invoices. */
export const BILLING_RETENTION_YEARS = 10;

/** Days within which a request about one's data is answered. */
export const RIGHTS_ANSWER_DAYS = 30;

/** Days after the end of a subscription in which everything can still be exported. */
export const EXPORT_AFTER_END_DAYS = 30;

/** Notice before a default of payment closes the service, in days. */
export const PAYMENT_NOTICE_DAYS = 8;
