-- How rare a word is decides how an alert is found by it; the default sample calls every word it has not seen fairly common.
ALTER TABLE "alert_texts" ALTER COLUMN "words" SET STATISTICS 1000;
