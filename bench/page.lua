-- wrk script: the first page of the journey, as a phone asks for it.
wrk.headers["accept"] = "text/html"
wrk.headers["accept-encoding"] = "gzip"

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"p50":%.3f,"p99":%.3f,"max":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    latency.max / 1000, summary.errors.status + summary.errors.timeout + summary.errors.connect + summary.errors.read + summary.errors.write))
end
