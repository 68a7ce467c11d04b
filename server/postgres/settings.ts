/**
 * Settings of the embedded PostgreSQL, for a small machine that a shop owns.
 * Nothing that was acknowledged may be lost: `fsync` and `synchronous_commit` stay on.
 */
export const postgresSettings: Readonly<Record<string, string>> = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  max_connections: "120",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  wal_compression: "on",
  max_wal_size: "1GB",
  // Solid-state storage: a random page costs hardly more than the next one.
  random_page_cost: "1.1",
  // A plan kept from when a table was small reads all of it: growth is noticed within ten seconds instead of a minute.
  autovacuum_naptime: "10s",
  // Compiling short queries costs more than it saves.
  jit: "off",
  timezone: "UTC",
  password_encryption: "scram-sha-256",
  unix_socket_directories: "",
  // One file for each day of the week, written over a week later.
  logging_collector: "on",
  log_directory: "log",
  log_filename: "postgresql-%a.log",
  log_rotation_age: "1d",
  log_truncate_on_rotation: "on",
  log_timezone: "UTC",
  // Personal data stays out of the log: neither statements nor the details of errors.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_parameter_max_length_on_error: "0",
  log_checkpoints: "off",
};
