-- The stones on the board after a number of moves, from the table `moves.parquet` of `sgfq index`.
CREATE MACRO boards(after) AS TABLE
WITH changed AS (
  SELECT key, step, 0 AS part, x, y, coalesce(color, '-') AS stone
  FROM 'moves.parquet' WHERE ply <= after AND (color IS NOT NULL OR kind = 'AE') AND x IS NOT NULL
  UNION ALL
  SELECT key, step, 1, change[1]::BIGINT, change[2]::BIGINT, change[3]
  FROM (SELECT key, step, string_split(unnest(string_split(changes, ' ')), ',') AS change
        FROM 'moves.parquet' WHERE ply <= after AND changes IS NOT NULL)
)
SELECT key, x, y, arg_max(stone, 2 * step + part) AS stone
FROM changed GROUP BY key, x, y HAVING arg_max(stone, 2 * step + part) <> '-';
