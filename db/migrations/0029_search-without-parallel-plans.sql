-- The search runs a short query for each block. A parallel plan starts processes, which takes longer than the query itself: a part of a host name took
-- 1.2 seconds for 122 blocks.
ALTER FUNCTION "find_words"(tsquery, tsquery, uuid, uuid, integer) SET max_parallel_workers_per_gather = 0;
