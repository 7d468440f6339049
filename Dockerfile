# docker build -t chipwise . && docker run --rm chipwise "How much HBM does an H200 have?"
# Documents to check are mounted: docker run --rm -v "$PWD:/work:ro" chipwise check draft.md
FROM python:3.12.12-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/chipwise \
    && /opt/chipwise/bin/pip install --no-cache-dir -c constraints.txt .

FROM python:3.12.12-slim-bookworm
COPY --from=build /opt/chipwise /opt/chipwise
RUN useradd --create-home --uid 10001 chipwise && install -d -o chipwise -g chipwise /data
ENV PATH=/opt/chipwise/bin:$PATH CHIPWISE_KB=/data/kb
VOLUME /data
WORKDIR /work
USER 10001
ENTRYPOINT ["chipwise"]
CMD ["--help"]
