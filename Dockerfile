# The table for a club: docker compose up. docs/hosting.md says what belongs in front of it.
FROM python:3.12-slim

COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
RUN pip install --no-cache-dir "/src[postgres]" && rm -rf /src \
    && useradd --system --create-home --home-dir /var/lib/spina spina \
    && mkdir -p /var/cache/spina && chown spina /var/cache/spina && chmod 700 /var/lib/spina /var/cache/spina

USER spina
ENV SPINA_DATA_DIR=/var/lib/spina SPINA_CACHE_DIR=/var/cache/spina
# seals of saved races and compiled games outlive the container
VOLUME ["/var/lib/spina", "/var/cache/spina"]
EXPOSE 8000
# alive, not ready: a restart does not bring a database back. The image has no curl.
HEALTHCHECK --interval=15s --timeout=5s --start-period=90s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["spina"]
CMD ["serve", "--host", "0.0.0.0"]
